"""The tools a model may call: one file each, and the registry that offers, checks, bounds and runs them."""
