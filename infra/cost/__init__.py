"""What Memex costs: scenarios metered on the local cloud in virtual time, priced from one table: docs/cost.md."""
