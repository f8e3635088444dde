"""Reads a text that was packed as base64 of zlib of a pickle, without ever unpickling it: a pickle is a program.

Only the opcodes that a pickled string consists of are accepted; they are looked at, and nothing is executed.
"""

from __future__ import annotations

import base64
import binascii
import pickletools
import zlib

from perturbation.importing import FieldRefused

# A few kilobytes can unpack to gigabytes.
MAX_UNPACKED = 256 << 20
TEXTS = {"UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"}
# Version, frame and memo say nothing about the value.
HARMLESS = {"PROTO", "FRAME", "PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"}


def unpack(text: str, name: str) -> str:
    """Return the string that the field `name` has packed; FieldRefused for anything else."""
    try:
        data = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError) as error:
        raise FieldRefused(name, f"neither JSON nor base64 ({error}): get the file again.") from error
    return _pickled_text(_inflated(data, name), name)


def _inflated(data: bytes, name: str) -> bytes:
    unzip = zlib.decompressobj()
    try:
        unpacked = unzip.decompress(data, MAX_UNPACKED + 1)
    except zlib.error as error:
        raise FieldRefused(name, f"damaged compressed text ({error}): get the file again.") from error
    if len(unpacked) > MAX_UNPACKED:
        raise FieldRefused(name, f"unpacks to more than {MAX_UNPACKED >> 20} MB: leave out this row.")
    if not unzip.eof:
        raise FieldRefused(name, "compressed text that is cut off: get the file again.")
    return unpacked


def _pickled_text(data: bytes, name: str) -> str:
    found: list[str] = []
    try:
        for opcode, argument, _ in pickletools.genops(data):
            if opcode.name in TEXTS and isinstance(argument, str) and not found:
                found.append(argument)
            elif opcode.name == "STOP" and found:
                return found[0]
            elif opcode.name not in HARMLESS:
                raise FieldRefused(
                    name,
                    f"packs something else than a string (pickle opcode {opcode.name}), which could run code when "
                    "unpacked: nothing of it was run. Use the file as it was published.",
                )
    except (ValueError, UnicodeError, OverflowError) as error:
        raise FieldRefused(name, f"no pickled string ({str(error)[:80]}): get the file again.") from error
    raise FieldRefused(name, "no pickled string: get the file again.")
