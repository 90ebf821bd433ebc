"""Reading the web at addresses that a model or a page gives: every connection is checked before it is opened."""
