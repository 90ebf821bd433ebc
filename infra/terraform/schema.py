"""Extracts from the provider's published types what our Terraform uses, into schema.json: `make schema`.

The packages cdktf-cdktf-provider-google and -google-beta carry the whole schema of the providers as a jsii assembly:
for each resource an interface of its arguments, whose documentation names them as Terraform does.
"""

from __future__ import annotations

import io
import json
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from infra.terraform.hcl import blocks_of

HERE = Path(__file__).resolve().parent
TARGET = HERE / "schema.json"
COMMAND = "make schema"
_RESOURCE = re.compile(r"/providers/hashicorp/([a-z-]+)/([\d.]+)/docs/(resources|data-sources)/\w+ (google_\w+)\}")
_NAME = re.compile(r"/docs/(?:resources|data-sources)/\w+#(\w+) ")
_OF_THE_KIT = {"tf_resource_type", "internal_value", "fqn"}
_KINDS = {"resources": "resource", "data-sources": "data"}


def extract(wheels: Iterable[Path], used: Mapping[str, set[str]]) -> dict[str, Any]:
    """The schema of the `used` types, by "resource" and "data"; the first wheel that has a type gives it.

    Raises KeyError for a type that no wheel has.
    """
    found: dict[str, Any] = {"made_by": COMMAND, "sources": [], "resource": {}, "data": {}}
    for wheel in wheels:
        assembly = _assembly(wheel)
        types = assembly["types"]
        for key, type_ in types.items():
            match = _RESOURCE.search(type_.get("docs", {}).get("summary", "")) if type_["kind"] == "class" else None
            kind = _KINDS[match[3]] if match else ""
            if match and match[4] in used[kind] and match[4] not in found[kind] and f"{key}Config" in types:
                block = _block(types, f"{key}Config", key)
                found[kind][match[4]] = {"provider": match[1], "version": match[2], **block}
        found["sources"].append(f"{assembly['name']} {assembly['version']}")
    for kind, names in used.items():
        for name in sorted(names - set(found[kind])):
            raise KeyError(f"no package has the {kind} {name}")
    return found


def _assembly(wheel: Path) -> dict[str, Any]:
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".jsii.tgz"))
        with tarfile.open(fileobj=io.BytesIO(archive.read(name))) as packed:
            member = packed.extractfile("package/.jsii")
            assert member is not None
            assembly: dict[str, Any] = json.load(member)
            return assembly


def _block(types: Mapping[str, Any], key: str, told_by: str) -> dict[str, Any]:
    """Arguments and nested blocks of one interface, and what the class `told_by` has beside them."""
    attributes: dict[str, Any] = {}
    blocks: dict[str, Any] = {}
    for item in types[key].get("properties", []):
        docs = item.get("docs", {})
        match = _NAME.search(docs.get("remarks", ""))
        name = match[1] if match else _snake(item["name"])
        required = not item.get("optional", False)
        inner, many = _inner(item["type"])
        if docs.get("summary", "") == f"{name} block." and inner:
            blocks[name] = {"many": many, "required": required, **_block(types, inner, f"{inner}OutputReference")}
        else:
            attributes[name] = {"type": _written(item["type"]), "required": required}
    told = _computed(types.get(told_by, {})) - set(attributes) - set(blocks)
    return {"attributes": attributes, "blocks": blocks, "computed": sorted(told)}


def _inner(type_: Mapping[str, Any]) -> tuple[str, bool]:
    """The interface behind a type, and whether there may be many of it."""
    for one in type_.get("union", {}).get("types", [type_]):
        if "collection" in one:
            return one["collection"]["elementtype"].get("fqn", ""), True
        if "fqn" in one and not one["fqn"].startswith("cdktf."):
            return str(one["fqn"]), False
    return "", False


def _written(type_: Mapping[str, Any]) -> Any:
    """A type as Terraform writes it."""
    if "primitive" in type_:
        return {"boolean": "bool"}.get(type_["primitive"], type_["primitive"])
    if "collection" in type_:
        kind = {"array": "list"}.get(type_["collection"]["kind"], type_["collection"]["kind"])
        return [kind, _written(type_["collection"]["elementtype"])]
    others = [one for one in type_.get("union", {}).get("types", []) if one.get("fqn") != "cdktf.IResolvable"]
    return _written(others[0]) if others else "any"


def _computed(type_: Mapping[str, Any]) -> set[str]:
    """What the provider tells of a resource: the properties of its class, in Terraform's names."""
    names = {item["name"] for item in type_.get("properties", []) if not item.get("static")}
    return {_snake(name) for name in names if not name.endswith("Input")} - _OF_THE_KIT


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def main(wheels: list[str]) -> None:
    """Write schema.json anew from those wheels."""
    used: dict[str, set[str]] = {"resource": set(), "data": set()}
    for block in blocks_of(HERE):
        if block.kind in used:
            used[block.kind].add(block.labels[0])
    TARGET.write_text(json.dumps(extract(map(Path, wheels), used), indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
