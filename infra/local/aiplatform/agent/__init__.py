"""Agent runs by rule: the emulated model's stand-in for planning, for working on a step, and for putting together."""
