"""The local cloud and Google's emulators side by side: the same suites, the same random requests."""
