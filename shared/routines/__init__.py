"""What runs while the person sleeps: digests and reviews, which only propose."""
