"""Plan approval: a plan is made first, a person says what becomes of it, and only then is the run paid for."""
