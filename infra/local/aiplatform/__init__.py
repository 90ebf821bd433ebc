"""The emulated AI platform: interactions, generateContent and embeddings, answered by rules and labelled as such."""
