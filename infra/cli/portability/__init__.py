"""A workspace as a file of this machine, and notes as a folder of Markdown."""
