"""What is delivered: a bill of materials (CycloneDX 1.6) and the licences, from requirements.txt and what is here."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_LICENCE = "License :: OSI Approved :: "


@dataclass(frozen=True)
class Component:
    """A locked distribution; `licence` is empty where it is not installed here or says none."""

    name: str
    version: str
    licence: str
    hashes: tuple[str, ...]


def components(locked: str) -> Iterator[Component]:
    """The entries of a locked requirements file, in its order."""
    for entry in re.split(r"\n(?=[A-Za-z0-9])", locked):
        match = _PIN.match(entry)
        if match:
            yield Component(match[1], match[2], licence_of(match[1]), tuple(_HASH.findall(entry)))


def licence_of(name: str) -> str:
    """What the distribution says of its licence: the expression, else its classifiers, else a short text."""
    try:
        about = metadata(name)
    except PackageNotFoundError:
        return ""  # locked for another platform
    said = _field(about, "License-Expression")
    classified = [
        line.removeprefix(_LICENCE) for line in about.get_all("Classifier") or () if line.startswith(_LICENCE)
    ]
    short = _field(about, "License").splitlines()[:1]
    return said or " AND ".join(classified) or "".join(short)[:60]


def _field(about: PackageMetadata, name: str) -> str:
    return str(about[name]) if name in about else ""


def bill(locked: str, version: str) -> Mapping[str, Any]:
    """The bill of materials; the same requirements give the same bill."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "memex", "version": version, "bom-ref": "memex"}},
        "components": [_entry(one) for one in components(locked)],
    }


def _entry(one: Component) -> dict[str, Any]:
    address = f"pkg:pypi/{one.name.lower()}@{one.version}"
    entry: dict[str, Any] = {"type": "library", "name": one.name, "version": one.version, "bom-ref": address}
    if one.licence:
        entry["licenses"] = [{"license": {"name": one.licence}}]
    files = [{"alg": "SHA-256", "content": digest} for digest in one.hashes]
    references = [
        {"type": "distribution", "url": f"https://pypi.org/project/{one.name}/{one.version}/", "hashes": files}
    ]
    return {**entry, "purl": address, "externalReferences": references}


def licences(locked: str) -> str:
    """A table of the licences, in Markdown."""
    rows = [f"| {one.name} | {one.version} | {one.licence or 'not installed here'} |" for one in components(locked)]
    return "\n".join(["| package | version | licence |", "|---|---|---|", *rows]) + "\n"


def main() -> None:
    """Write dist/sbom.json and dist/licences.md."""
    locked = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    target = ROOT / "dist"
    target.mkdir(exist_ok=True)
    (target / "sbom.json").write_text(json.dumps(bill(locked, "0.1.0"), indent=1) + "\n", encoding="utf-8")
    (target / "licences.md").write_text(licences(locked), encoding="utf-8")
    sys.stdout.write("dist/sbom.json\ndist/licences.md\n")


if __name__ == "__main__":
    main()
