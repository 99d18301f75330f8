"""The command line of a link as a value, and the table of linker options."""
