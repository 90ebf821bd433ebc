"""Language models behind one port: `port` says what is asked and answered, the adapters speak to the services."""
