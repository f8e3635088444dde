"""What the units of each kind of run are, and the work of one: a requirement, or a program for reports."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from perturbation import perturbing, reports, verification
from perturbation.leases import Lease
from perturbation.models import Benchmark, Program, Report, Requirement, RunUnit


class Kind(StrEnum):
    """The kinds of run."""

    VERIFY = "verify"
    PERTURB = "perturb"
    REPORTS = "reports"


def keys_for(*, kind: Kind, benchmark: Benchmark, parameters: Mapping[str, Any]) -> list[str]:
    """Return the content keys of the units of a new run, in the order in which they are planned."""
    del parameters  # Which units there are depends on the data alone; what is done in one, on the parameters.
    if kind is Kind.REPORTS:
        programs = Program.objects.of(benchmark.name).accepted().in_content_order().select_related("requirement")
        return [program_key(program) for program in programs]
    requirements = verification.verifiable(benchmark=benchmark.name)
    if kind is Kind.PERTURB:
        requirements = requirements.filter(
            pk__in=Program.objects.of(benchmark.name).five_point().values("requirement"), problem=""
        )
    return list(requirements.values_list("external_id", flat=True))


def work(*, unit: RunUnit, lease: Lease) -> dict[str, Any]:
    """Do the work of one unit and return its counts. Safe to run again: what is there is not made twice."""
    match Kind(unit.run.kind):
        case Kind.VERIFY:
            return verification.verify_requirement(requirement=_requirement(unit), between=lease.renew)
        case Kind.PERTURB:
            plan = perturbing.Plan.from_parameters(unit.run.parameters)
            return perturbing.fill(
                requirement=_requirement(unit), plan=plan, lease=lease, counted=unit.outcome, run_id=unit.run_id
            )
        case Kind.REPORTS:
            return _build_reports(unit)


def program_key(program: Program) -> str:
    """Identity of a program within its benchmark."""
    return f"{program.requirement.external_id}/{program.kind}/{program.target_score}/{program.draw_number}"


def _requirement(unit: RunUnit) -> Requirement:
    return unit.run.benchmark.requirements.select_related("benchmark").get(external_id=unit.key)


def _build_reports(unit: RunUnit) -> dict[str, Any]:
    external_id, kind, target, draw = unit.key.rsplit("/", 3)
    program = Program.objects.select_related("requirement", "parent").get(
        requirement__benchmark=unit.run.benchmark,
        requirement__external_id=external_id,
        kind=kind,
        target_score=int(target),
        draw_number=int(draw),
    )
    before = set(Report.objects.filter(program=program, is_current=True).values_list("pk", flat=True))
    built = reports.build_for(program=program)
    new = [report for report in built if report.pk not in before]
    by_status: dict[str, int] = {}
    for report in built:
        name = f"{report.kind}: {report.status}"
        by_status[name] = by_status.get(name, 0) + 1
    return {"created": len(new), "unchanged": len(built) - len(new), "by_status": by_status}
