"""A workspace as data: out as lines that keep their types, and in again without beginning anything anew."""
