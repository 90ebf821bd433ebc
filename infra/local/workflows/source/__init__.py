"""From a YAML or JSON file to a checked program, with file and line for every fault."""
