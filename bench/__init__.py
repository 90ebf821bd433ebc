"""How fast the local cloud and Memex are, next to Google's emulators where they are installed: `make bench`."""
