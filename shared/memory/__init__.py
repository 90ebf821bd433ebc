"""Memory as it is read: recall, and why a record is there."""
