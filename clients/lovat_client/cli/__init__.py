"""The `lovat` command line: one small module a command."""
