"""Describes who the person is, in sentences that each name the records they rest on."""
