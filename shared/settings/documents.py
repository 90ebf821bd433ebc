"""Where files are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shared import parsing
from shared.settings.setting import setting


@dataclass(frozen=True)
class DocumentsSettings:
    """Fields of shared.config.Settings."""

    objects_url: str = setting(
        "OBJECTS_URL",
        "Where files lie, such as uploaded documents: gs://bucket/prefix, s3://bucket/prefix or file:///folder. Empty: "
        "there is no such place, and what needs one is refused.",
        "",
    )
    objects_options: Mapping[str, str] = setting(
        "OBJECTS_OPTIONS",
        "What else it takes to reach them: name=value;name=value, for S3 such as endpoint, region, access_key_id and "
        "secret_access_key. Empty: as the store's own tools find it.",
        "",
        parsing.pairs,
        secret=True,
    )
