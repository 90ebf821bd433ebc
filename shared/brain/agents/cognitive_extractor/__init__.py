"""Reads what was captured or said, and puts on the blackboard what might be remembered of it."""
