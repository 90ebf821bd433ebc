"""The main job: a note tagged `research` becomes a cited report. One module per transition of an operation."""
