"""Builds once what every run would otherwise build again; `python -m perturbation.languages.prepare`, safe to repeat.

Each language has a folder of its own beside the application's environment. Nothing here needs Django.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

FOLDER_VARIABLE = "AXIOM_TOOLCHAINS_DIR"


def folder(language_id: str) -> Path:
    """Where a language keeps what it prepared; the folder may not exist yet."""
    root = os.environ.get(FOLDER_VARIABLE) or Path(sys.prefix) / "share" / "axiom-toolchains"
    return Path(root).resolve() / language_id


def main() -> int:
    """Prepare every language whose tool chain is here, and say one line for each language."""
    from perturbation.languages import registry  # noqa: PLC0415  # the languages ask for their folder on import

    for language in registry.all_languages():
        toolchain = language.toolchain()
        if not toolchain.is_there:
            line = f"not runnable here: {toolchain.how_to}"
        elif language.prepare is None:
            line = toolchain.version
        else:
            line = f"{toolchain.version}; {language.prepare(folder(language.id))}"
        sys.stderr.write(f"{language.label}: {line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
