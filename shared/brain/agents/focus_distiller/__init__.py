"""Describes what the person is at, in a few sentences that name the records they rest on."""
