"""Facts about programs: where they come from, how they were changed, what was measured on them.

Nothing here knows people or scores. Order and identity use content keys (benchmark, external id, kind, target, draw),
never primary keys, which depend on which worker was first.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Any, Self

from django.db import models
from django.db.models import Count, Exists, F, Min, OuterRef, Q
from django.utils.translation import gettext_lazy as _

SCORE_RANGE = Q(target_score__gte=0, target_score__lte=5)
WORKER_FRESH_FOR = timedelta(seconds=20)


def content_hash(*parts: str) -> str:
    """Return the SHA-256 hex digest of `parts`, each ended by a separator that no text contains by accident."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\x00\x1f")
    return digest.hexdigest()


class Benchmark(models.Model):
    """A named collection of requirements, imported from one source format."""

    name = models.CharField(max_length=100, unique=True)
    source_format = models.CharField(max_length=30)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class RequirementQuerySet(models.QuerySet["Requirement"]):
    """Named facts about requirements."""

    def of(self, benchmark: str) -> Self:
        """Requirements of the benchmark with this name, in import order."""
        return self.filter(benchmark__name=benchmark).order_by("position", "pk")

    def usable(self) -> Self:
        """Requirements whose reference and tests are there and can be run here."""
        return self.filter(problem="")

    def numbers_with_five_points(self) -> models.QuerySet[Requirement, tuple[str, int]]:
        """(language, requirements) over those that programs can be made for: they have a 5-point program."""
        ready = self.usable().filter(pk__in=Program.objects.five_point().values("requirement"))
        return ready.order_by("language").values_list("language").annotate(number=Count("pk"))


class TestKind(models.TextChoices):
    """What the tests of a requirement are; languages/base.py says how each is written."""

    __test__ = False  # for pytest: the name starts like a test's

    CODE = "code", _("test code")
    STDIN = "stdin", _("standard input and output")
    CALLS = "calls", _("calls of a function")


class Requirement(models.Model):
    """What a program must do, with the tests that decide whether it does."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="requirements")
    external_id = models.CharField(max_length=200)
    position = models.PositiveIntegerField(help_text="Order in the imported file, from 0.")
    title = models.CharField(max_length=300, blank=True)
    language = models.CharField(max_length=20)
    text = models.TextField(help_text="The statement that annotators read.")
    entry_point = models.CharField(max_length=200, blank=True)
    tests = models.TextField(blank=True, help_text="Code, or JSON where the kind says so.")
    test_kind = models.CharField(max_length=10, choices=TestKind.choices, default=TestKind.CODE)
    metadata = models.JSONField(default=dict, blank=True)
    problem = models.CharField(
        max_length=300, blank=True, help_text="Why this requirement cannot be used yet; empty when it can."
    )
    source_hash = models.CharField(max_length=64, help_text="Hash of the imported row: a second import compares it.")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = RequirementQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "external_id"], name="requirement_external_id_once"),
        ]
        indexes = [models.Index(fields=["benchmark", "position"], name="requirement_order")]

    def __str__(self) -> str:
        return self.external_id


class ProgramQuerySet(models.QuerySet["Program"]):
    """Named facts about programs."""

    def of(self, benchmark: str) -> Self:
        """Programs shown against the requirements of the benchmark with this name."""
        return self.filter(requirement__benchmark__name=benchmark)

    def accepted(self) -> Self:
        """Programs that passed their gate and may be shown to annotators."""
        return self.filter(state=Program.State.ACCEPTED)

    def five_point(self) -> Self:
        """Accepted references and exemplars: the parents of everything else."""
        return self.accepted().filter(kind__in=[Program.Kind.REFERENCE, Program.Kind.EXEMPLAR])

    def family_of(self, requirement: Requirement) -> Self:
        """Programs shown against a requirement, best target first, without their texts."""
        return (
            self.filter(requirement=requirement)
            .defer("text", "tokens")
            .order_by("-target_score", "kind", "draw_number", "pk")
        )

    def accepted_by_cell(self) -> models.QuerySet[Program, tuple[str, int, int, int]]:
        """(language, target score, requirement, accepted programs) of every cell that has one."""
        cells = self.accepted().order_by().values_list("requirement__language", "target_score", "requirement")
        return cells.annotate(number=Count("pk"))

    def refused_without_binding_step(self) -> models.QuerySet[Program, tuple[str, str, int, str, int, int]]:
        """(kind, language, target score, refusal, programs, key of one of them) of those that no binding rule made."""
        bound = Step.objects.binding().filter(chain__program=OuterRef("pk"))
        return (
            self.filter(~Exists(bound), state=Program.State.REFUSED)
            .exclude(kind=Program.Kind.REFERENCE)
            .order_by()
            .values_list("kind", "language", "target_score", "refusal")
            .annotate(number=Count("pk"), example=Min("pk"))
        )

    def in_content_order(self) -> Self:
        """An order that does not depend on which worker saved first."""
        return self.order_by(
            "requirement__benchmark__name",
            "requirement__position",
            "target_score",
            "kind",
            "draw_number",
            "pk",
        )


class Program(models.Model):
    """One program shown against one requirement, with the score it should get."""

    class Kind(models.TextChoices):
        """How a program came to be."""

        REFERENCE = "reference", _("reference")
        EXEMPLAR = "exemplar", _("exemplar")
        PERTURBED = "perturbed", _("perturbed")
        DISRUPTED = "disrupted", _("context disrupted")

    class State(models.TextChoices):
        """Where a program stands at its gate."""

        PENDING = "pending", _("pending")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("refused")

    requirement = models.ForeignKey(Requirement, on_delete=models.CASCADE, related_name="programs")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    refusal = models.CharField(max_length=60, blank=True, help_text="Reason of refusal, a short fixed phrase.")
    refusal_detail = models.TextField(blank=True)
    language = models.CharField(max_length=20)
    text = models.TextField()
    text_hash = models.CharField(max_length=64)
    tokens = models.TextField(blank=True, help_text="Pygments tokens, one code point each.")
    target_score = models.PositiveSmallIntegerField()
    draw_number = models.PositiveIntegerField(default=0, help_text="Which draw of its cell this is, from 0.")
    parent = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="children",
        help_text="The 5-point program this one was made from.",
    )
    similarity = models.FloatField(
        null=True, blank=True, help_text="0-point pairs: cosine of the two requirements' embeddings, -1 to 1."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ProgramQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["requirement", "kind", "target_score", "draw_number"], name="program_content_key_once"
            ),
            models.CheckConstraint(condition=SCORE_RANGE, name="program_target_score_0_to_5"),
            models.CheckConstraint(condition=~Q(state="refused") | ~Q(refusal=""), name="program_refused_with_reason"),
            models.CheckConstraint(
                condition=Q(kind__in=["reference", "exemplar"], target_score=5)
                | Q(kind="perturbed", target_score__gte=1, target_score__lte=4)
                | Q(kind="disrupted", target_score=0),
                name="program_target_fits_kind",
            ),
            models.CheckConstraint(condition=Q(kind="reference") | Q(parent__isnull=False), name="program_has_parent"),
        ]
        indexes = [models.Index(fields=["requirement", "state", "target_score"], name="program_cell")]

    def __str__(self) -> str:
        return self.content_key

    @property
    def content_key(self) -> str:
        """Identity that every machine agrees on: benchmark, external id, kind, target and draw."""
        requirement = self.requirement
        return (
            f"{requirement.benchmark.name}/{requirement.external_id}/{self.kind}/{self.target_score}/{self.draw_number}"
        )


class Chain(models.Model):
    """The steps that lead from a 5-point parent to a program."""

    program = models.OneToOneField(Program, on_delete=models.CASCADE, related_name="chain")
    target_score = models.PositiveSmallIntegerField()
    seed = models.CharField(
        max_length=500, help_text="The run's seed (at most 100 characters), benchmark, external id, target, draw."
    )
    rewriter = models.CharField(max_length=100)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=SCORE_RANGE, name="chain_target_score_0_to_5")]

    def __str__(self) -> str:
        return f"chain of {self.program_id}"


class StepQuerySet(models.QuerySet["Step"]):
    """Named facts about steps."""

    def binding(self) -> Self:
        """Steps whose rule sets the score of their program: its ceiling is the target."""
        return self.filter(ceiling=F("chain__target_score"))

    def verdicts_by_rule(self, benchmark: Benchmark) -> models.QuerySet[Step, tuple[str, int, str, str, str, int, int]]:
        """(rule, ceiling, language, state, refusal, programs, key of one of them) over a benchmark's programs."""
        return (
            self.filter(chain__program__requirement__benchmark=benchmark)
            .order_by()
            .values_list(
                "rule_id",
                "ceiling",
                "chain__program__language",
                "chain__program__state",
                "chain__program__refusal",
            )
            .annotate(number=Count("chain", distinct=True), example=Min("chain__program"))
        )


class Step(models.Model):
    """One rule applied to one text, with the text that came out."""

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveSmallIntegerField(help_text="From 1.")
    rule_id = models.CharField(max_length=60)
    rule_version = models.PositiveIntegerField()
    ceiling = models.PositiveSmallIntegerField()
    effort = models.CharField(max_length=10)
    model_call = models.ForeignKey(
        "ModelCall",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="steps",
        help_text="Model steps only.",
    )
    text = models.TextField(help_text="The program after this step.")

    objects = StepQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="step_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="step_number_from_1"),
            models.CheckConstraint(condition=Q(ceiling__gte=1, ceiling__lte=5), name="step_ceiling_1_to_5"),
        ]
        ordering = ["chain", "number"]

    def __str__(self) -> str:
        return f"{self.number}. {self.rule_id}"


class Verification(models.Model):
    """What the tests said about a program, and in which sandbox. A row is never changed; the newest counts."""

    program = models.ForeignKey(Program, on_delete=models.CASCADE, related_name="verifications")
    status = models.CharField(max_length=12)
    passed = models.PositiveIntegerField()
    failed = models.PositiveIntegerField()
    cases = models.JSONField(default=list)
    message = models.TextField(blank=True, help_text="Why the run is none that passed: what does not compile, ...")
    output = models.TextField(blank=True)
    seconds = models.FloatField()
    sandbox = models.CharField(max_length=30)
    input_hash = models.CharField(max_length=64, help_text="Hash of program, tests and runner version.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["program", "input_hash"], name="verification_input")]

    def __str__(self) -> str:
        return f"{self.status} ({self.passed} passed, {self.failed} failed)"

    @property
    def why_it_ended(self) -> str:
        """What kept the run from the end of its tests; empty where they came to it and the counts say as much."""
        return "" if self.status in ("passed", "failed") and self.cases else self.message


class Report(models.Model):
    """One source of the diagnosis of one program. A new tool version makes a new row; the old one is kept."""

    class Kind(models.TextChoices):
        """The three sources of the diagnosis."""

        EXECUTION = "execution", _("execution")
        STATIC_ANALYSIS = "static_analysis", _("static analysis")
        QUALITY = "quality", _("LLM quality report")

    class Status(models.TextChoices):
        """Kept apart: nothing found is not the same as not looked."""

        DONE = "done", _("done")
        MISSING = "missing", _("tool not installed")
        FAILED = "failed", _("tool failed")
        NOT_CONFIGURED = "not_configured", _("not configured")

    program = models.ForeignKey(Program, on_delete=models.CASCADE, related_name="reports")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    status = models.CharField(max_length=20, choices=Status.choices)
    tool_version = models.CharField(max_length=200)
    input_hash = models.CharField(max_length=64)
    content = models.JSONField(default=dict)
    is_current = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["program", "kind", "tool_version", "input_hash"], name="report_input_and_tool_once"
            ),
            models.UniqueConstraint(
                fields=["program", "kind"], condition=Q(is_current=True), name="report_one_current_per_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.program_id}: {self.status}"


class RenderedDiff(models.Model):
    """The diff of a program to its parent, computed once and stored: pages only read it."""

    program = models.OneToOneField(Program, on_delete=models.CASCADE, related_name="rendered_diff")
    input_hash = models.CharField(max_length=64, help_text="Hash of all texts of the chain and the diff's version.")
    summary = models.JSONField(help_text="Counts per row kind, hunks, steps, outline, facts.")
    html = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"diff of {self.program_id}"


class Embedding(models.Model):
    """The vector of a text, cached by its hash and the model that made it."""

    text_hash = models.CharField(max_length=64)
    model = models.CharField(max_length=100)
    vector = models.BinaryField(help_text="Little-endian 32-bit floats, length 1 in the Euclidean norm.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["text_hash", "model"], name="embedding_once")]

    def __str__(self) -> str:
        return f"{self.model}:{self.text_hash[:12]}"


class ModelCall(models.Model):
    """One request to a model server and what came back. A good answer is found again by the hash of its request."""

    class Purpose(models.TextChoices):
        """What the answer is for."""

        REWRITE = "rewrite", _("rewrite")
        QUALITY = "quality", _("quality report")

    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    model = models.CharField(max_length=200)
    request_hash = models.CharField(max_length=64, help_text="Hash of server, model, messages and sampling settings.")
    request = models.JSONField(help_text="What was sent, without the key.")
    answer = models.TextField(blank=True)
    error = models.TextField(blank=True, help_text="Why there is no usable answer; empty for a good one.")
    prompt_tokens = models.PositiveIntegerField(default=0)
    answer_tokens = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(help_text="Wall time of the request with its retries.")
    attempts = models.PositiveSmallIntegerField(default=1)
    run = models.ForeignKey("Run", null=True, blank=True, on_delete=models.SET_NULL, related_name="model_calls")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["request_hash"], condition=Q(error=""), name="model_call_one_answer_per_request"
            ),
        ]
        indexes = [models.Index(fields=["run"], name="model_call_run")]

    def __str__(self) -> str:
        return f"{self.purpose} by {self.model}: {self.request_hash[:12]}"


class Selection(models.Model):
    """A named, diverse subset of a benchmark's accepted programs."""

    name = models.CharField(max_length=200, unique=True)
    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="selections")
    per_score = models.PositiveIntegerField()
    seed = models.CharField(max_length=100)
    statistics = models.JSONField(default=dict, help_text="Per target score: picked, shortfall, distances.")
    created_at = models.DateTimeField(auto_now_add=True)
    programs: models.ManyToManyField[Program, SelectionPick] = models.ManyToManyField(
        Program, through="SelectionPick", related_name="selections"
    )

    def __str__(self) -> str:
        return self.name


class SelectionPick(models.Model):
    """One program of a selection, in the order in which it was picked in its cell."""

    selection = models.ForeignKey(Selection, on_delete=models.CASCADE, related_name="picks")
    program = models.ForeignKey(Program, on_delete=models.PROTECT, related_name="picks")
    target_score = models.PositiveSmallIntegerField()
    rank = models.PositiveIntegerField(help_text="Order of the pick in its cell, from 0.")
    distance = models.FloatField(null=True, help_text="To the nearest earlier pick, 0 to 1; null for the first.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["selection", "program"], name="pick_program_once"),
            models.UniqueConstraint(fields=["selection", "target_score", "rank"], name="pick_rank_once"),
            models.CheckConstraint(condition=SCORE_RANGE, name="pick_target_score_0_to_5"),
        ]

    def __str__(self) -> str:
        return f"{self.selection_id}: {self.target_score}.{self.rank}"


class RunQuerySet(models.QuerySet["Run"]):
    """Named facts about runs."""

    def open(self) -> Self:
        """Runs that may still go on: active or paused."""
        return self.filter(state__in=Run.OPEN_STATES)

    def newest_first(self) -> Self:
        """An order for people."""
        return self.order_by("-created_at", "-pk")


class Run(models.Model):
    """A long piece of work on a benchmark, planned as units that workers take."""

    class State(models.TextChoices):
        """Where a run stands."""

        ACTIVE = "active", _("active")
        PAUSED = "paused", _("paused")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    kind = models.CharField(max_length=20)
    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="runs")
    parameters = models.JSONField(default=dict)
    parameters_hash = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    note = models.CharField(max_length=300, blank=True, help_text="Why the run stands where it stands, for people.")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    OPEN_STATES = (State.ACTIVE, State.PAUSED)

    objects = RunQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "benchmark", "parameters_hash"],
                condition=Q(state__in=["active", "paused"]),
                name="run_open_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.benchmark_id} ({self.state})"


class RunUnitQuerySet(models.QuerySet["RunUnit"]):
    """Named facts about units of work."""

    def left(self) -> Self:
        """Units that still have to be done."""
        return self.filter(state__in=[RunUnit.State.WAITING, RunUnit.State.RUNNING])

    def free(self, now: datetime) -> Self:
        """Units that nobody works on: waiting, or running under a lease that has run out."""
        return self.filter(
            Q(state=RunUnit.State.WAITING) | Q(state=RunUnit.State.RUNNING, leased_until__lt=now)
        ).filter(run__state=Run.State.ACTIVE)

    def lapsed(self, now: datetime) -> Self:
        """Units whose worker did not renew its lease, whatever became of their run."""
        return self.filter(state=RunUnit.State.RUNNING, leased_until__lt=now)

    def failed(self) -> Self:
        """Units that failed, as planned."""
        return self.filter(state=RunUnit.State.FAILED).order_by("position", "pk")

    def numbers_by_state(self) -> dict[int, dict[str, int]]:
        """How many units each run has in each state, by the run's key; states without a unit are left out."""
        numbers: dict[int, dict[str, int]] = {}
        for run_id, state, number in self.order_by().values_list("run", "state").annotate(number=Count("pk")):
            numbers.setdefault(run_id, {})[state] = number
        return numbers

    def finished_since(self, moment: datetime) -> models.QuerySet[RunUnit, tuple[datetime | None, Any]]:
        """(finished at, counts) of the units that were done or failed after the moment, newest first."""
        over = self.filter(state__in=[RunUnit.State.DONE, RunUnit.State.FAILED], finished_at__gt=moment)
        return over.order_by("-finished_at", "-pk").values_list("finished_at", "outcome")


class RunUnit(models.Model):
    """One unit of a run: idempotent, leased by the clock, taken by compare-and-swap."""

    class State(models.TextChoices):
        """Where a unit stands."""

        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="units")
    key = models.CharField(max_length=300, help_text="What the unit works on, within its run.")
    position = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    owner = models.CharField(max_length=100, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(
        default=0, help_text="Times it was taken and not given back: more than one, and its worker was killed."
    )
    faults = models.PositiveSmallIntegerField(default=0, help_text="Passing faults that it was given back for.")
    outcome = models.JSONField(default=dict, help_text="Counts, as the commands report them.")
    error = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = RunUnitQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="unit_key_once")]
        indexes = [models.Index(fields=["run", "state"], name="unit_state")]

    def __str__(self) -> str:
        return f"{self.key} ({self.state})"


class Outbox(models.Model):
    """Work to be queued, written in the transaction that causes it and sent to the broker afterwards."""

    task = models.CharField(max_length=200)
    arguments = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "outbox"
        indexes = [models.Index(fields=["id"], condition=Q(sent_at__isnull=True), name="outbox_unsent")]

    def __str__(self) -> str:
        return self.task


class WorkerHeartbeatQuerySet(models.QuerySet["WorkerHeartbeat"]):
    """Named facts about workers."""

    def alive(self, now: datetime) -> Self:
        """Workers that were seen a moment ago: they beat every five seconds (see heartbeat.py)."""
        return self.filter(seen_at__gt=now - WORKER_FRESH_FOR)


class WorkerHeartbeat(models.Model):
    """When a worker was last seen, so that a page can say that none is there."""

    name = models.CharField(max_length=200, unique=True)
    seen_at = models.DateTimeField()
    sandbox = models.CharField(max_length=30, blank=True)
    languages = models.JSONField(default=dict, help_text="Language id -> version of its tool chain, or empty.")

    objects = WorkerHeartbeatQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name
