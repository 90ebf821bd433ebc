"""Memex in one thread: one seed, virtual time, faults on purpose, and the rules that must hold all the same."""
