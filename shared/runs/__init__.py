"""Agent runs: a goal is planned, its steps are worked on side by side, and one cited answer comes out."""
