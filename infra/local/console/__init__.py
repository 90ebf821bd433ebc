"""/_cloud: a person's view of the local cloud, one live page over JSON that scripts can use too."""
