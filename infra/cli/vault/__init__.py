"""Notes as a folder of Markdown files, such as an Obsidian vault: written, and taken in (docs/data.md)."""
