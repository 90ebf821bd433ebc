"""Who calls the API: people with a static token or an ID token, what each may do, and how often."""
