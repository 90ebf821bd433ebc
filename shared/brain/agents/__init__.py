"""One folder an agent: agent.py with its AGENT, schema.py, and prompt.md where a model is asked."""
