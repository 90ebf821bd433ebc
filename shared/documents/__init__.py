"""Documents: files are received, their text is extracted by a workflow, searched, read, calculated with and drawn."""
