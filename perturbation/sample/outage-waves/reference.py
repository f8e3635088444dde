"""Follow an outage through services that have alternatives."""

Needs = dict[str, list[list[str]]]


def find_unknown(needs: Needs, failed: list[str]) -> list[str]:
    """Return, sorted, the names that are used but not described in needs."""
    used = set(failed)
    for requirements in needs.values():
        for alternatives in requirements:
            used.update(alternatives)
    return sorted(used - needs.keys())


def check_needs(needs: Needs, failed: list[str]) -> None:
    """Raise ValueError on unknown services and on requirements nobody can meet."""
    unknown = find_unknown(needs, failed)
    if unknown:
        raise ValueError(f"unknown services: {', '.join(unknown)}")
    for service, requirements in needs.items():
        if not all(requirements):
            raise ValueError(f"{service} has a requirement without alternatives")


def is_supplied(requirements: list[list[str]], down: set[str]) -> bool:
    """Say whether every requirement still has an alternative that is up."""
    return all(any(alternative not in down for alternative in alternatives) for alternatives in requirements)


def outage_waves(needs: Needs, failed: list[str]) -> list[list[str]]:
    """Return the services that go down, wave after wave, names sorted in a wave.

    Raises ValueError when a name is unknown or a requirement is empty.
    """
    check_needs(needs, failed)
    waves: list[list[str]] = []
    down: set[str] = set()
    wave = sorted(set(failed))
    while wave:
        waves.append(wave)
        down.update(wave)
        # The whole wave is read from one state, so its members fall together.
        wave = sorted(
            service
            for service, requirements in needs.items()
            if service not in down and not is_supplied(requirements, down)
        )
    return waves
