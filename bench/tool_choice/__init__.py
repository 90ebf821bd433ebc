"""How well a model chooses tools: prompts with the calls that they ask for, scored."""
