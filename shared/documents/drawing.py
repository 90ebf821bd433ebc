"""In the worker: a Vega-Lite chart as SVG and PNG. What it shows is in it; no address is followed."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import vl_convert

from shared.documents.refusals import Refused

_SCALE = 2


def draw(asked: Mapping[str, Any]) -> dict[str, Any]:
    """{svg, png} of `spec`, the second in base64. Raises Refused with what the library says of a bad one."""
    try:
        svg = vl_convert.vegalite_to_svg(asked["spec"], allowed_base_urls=[])
        png = vl_convert.vegalite_to_png(asked["spec"], scale=_SCALE, allowed_base_urls=[])
    except ValueError as error:
        raise Refused("spec", f"The chart cannot be drawn: {str(error)[:500]}") from error
    return {"svg": svg, "png": base64.b64encode(png).decode()}
