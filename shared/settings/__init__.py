"""What can be set, a module for each subject; shared/config.py puts them together and reads them."""
