"""Markdown as safe HTML: `html(text)` for what is stored, `blocks(text)` and `Growing` for what is still being written.

Whatever the text holds, the HTML loads nothing, runs nothing and leads to http, https, mailto and notes only.
"""

from shared.markdown.render import html
from shared.markdown.streaming import Blocks, Growing, blocks

__all__ = ["Blocks", "Growing", "blocks", "html"]
