"""Event streams as others see them: envelopes, and Server-Sent Events."""
