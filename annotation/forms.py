"""Forms of the annotation pages: they check shape and identity; what may be done is decided by the domain functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from annotation.contexts import batches
from annotation.models import Assignment, Batch
from perturbation.models import Selection


class ScoreForm(forms.Form):
    """A score with its identity: the item, the round and the content that were on the screen.

    The reason is free text and judged by the domain alone.
    """

    value = forms.TypedChoiceField(
        coerce=int,
        choices=[(value, str(value)) for value in range(6)],
        error_messages={"required": _("Choose a score from 0 to 5 first.")},
    )
    item = forms.IntegerField()
    round = forms.IntegerField()
    content_version = forms.CharField(max_length=64)
    idempotency_key = forms.UUIDField()
    expected_revision = forms.IntegerField(min_value=0)

    def fits(self, assignment: Assignment) -> bool:
        """Whether the form was made for this assignment's item and round."""
        named = (self.cleaned_data["item"], self.cleaned_data["round"])
        return named == (assignment.item_id, assignment.round_id)

    def first_problem(self) -> str:
        """The one message to show: what is wrong with the score, else with the hidden part."""
        if "value" in self.errors:
            return str(self.errors["value"][0])
        return str(_("This form is incomplete. Reload the page; what you typed is kept."))


class BatchForm(forms.Form):
    """A new batch from a selection."""

    name = forms.CharField(
        label=_("Name"), max_length=300, help_text=_("What annotators and leads will see, such as “pilot, March”.")
    )
    selection = forms.ModelChoiceField(
        queryset=Selection.objects.none(), label=_("Selection"), empty_label=None, widget=forms.RadioSelect
    )
    pilot_percent = forms.IntegerField(
        label=_("Pilot share in percent"),
        required=False,
        min_value=1,
        max_value=100,
        help_text=_("Draws this share at random, for a pilot with several annotators per item. Empty: all items."),
    )
    seed = forms.CharField(
        label=_("Seed"),
        max_length=100,
        initial="0",
        help_text=_("The same seed draws the same items in the same order."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        """Offer every selection, newest first."""
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field = self.fields["selection"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  narrows the type
        field.queryset = Selection.objects.order_by("-created_at", "-pk")

    def clean_name(self) -> str:
        """Refuse a name that is taken before the database does."""
        name: str = self.cleaned_data["name"].strip()
        if Batch.objects.filter(name=name).exists():
            raise forms.ValidationError(_("A batch of this name exists. Choose another name."))
        return name

    def pilot_share(self) -> float | None:
        """The share from 0 to 1, or None for all items."""
        percent: int | None = self.cleaned_data["pilot_percent"]
        return None if percent is None else percent / 100


if TYPE_CHECKING:
    UserChoices = forms.ModelMultipleChoiceField[User]
else:
    UserChoices = forms.ModelMultipleChoiceField


class PeopleField(UserChoices):
    """People by name, as checkboxes."""

    def label_from_instance(self, obj: object) -> str:
        """Full name where there is one, with the login name."""
        assert isinstance(obj, User)  # noqa: S101  narrows the type
        full_name = obj.get_full_name()
        return f"{full_name} ({obj.username})" if full_name else obj.username


class AssignForm(forms.Form):
    """Who scores a batch, and how many people score each item."""

    people = PeopleField(
        queryset=User.objects.none(),
        label=_("Annotators"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one annotator.")},
    )
    overlap = forms.IntegerField(
        label=_("Annotators per item"),
        min_value=1,
        max_value=50,
        help_text=_("Agreement needs at least 2; the pilot of the paper had 3."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        """Offer every active annotator."""
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field = self.fields["people"]
        assert isinstance(field, forms.ModelMultipleChoiceField)  # noqa: S101  narrows the type
        field.queryset = batches.annotators()

    def clean(self) -> dict[str, object]:
        """Refuse an overlap that the chosen people cannot give."""
        cleaned = super().clean() or {}
        people, overlap = cleaned.get("people"), cleaned.get("overlap")
        if people is not None and overlap and len(people) < overlap:
            message = _("%(overlap)d annotators per item need at least as many people; %(people)d are chosen.")
            self.add_error("overlap", message % {"overlap": overlap, "people": len(people)})
        return cleaned
