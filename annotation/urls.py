"""Routes of the annotation app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import agreement, batches, home, queue, workbench

app_name = "annotation"
urlpatterns: list[URLPattern | URLResolver] = [
    path("rubric/", home.rubric_show, name="rubric-show"),
    path("session/", home.session_show, name="session-show"),
    path("queue/", queue.queue_show, name="queue-show"),
    path("work/next/", workbench.work_next, name="work-next"),
    path("work/<int:pk>/", workbench.work_show, name="work-show"),
    path("work/<int:pk>/score/", workbench.work_score, name="work-score"),
    path("work/<int:pk>/skip/", workbench.work_skip, name="work-skip"),
    path("work/<int:pk>/reopen/", workbench.work_reopen, name="work-reopen"),
    path("batches/", batches.batch_list, name="batch-list"),
    path("batches/new/", batches.batch_create, name="batch-create"),
    path("batches/<int:pk>/", batches.batch_show, name="batch-show"),
    path("batches/<int:pk>/assign/", batches.batch_assign, name="batch-assign"),
    path("batches/<int:pk>/close/", batches.batch_close, name="batch-close"),
    path("batches/<int:pk>/reopen/", batches.batch_reopen, name="batch-reopen"),
    path("agreement/", agreement.agreement_index, name="agreement-list"),
    path("agreement/<int:pk>/", agreement.agreement_show, name="agreement-show"),
    path("agreement/<int:pk>/panel/", agreement.agreement_poll, name="agreement-poll"),
]
