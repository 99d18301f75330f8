"""Access to shadows in both modes: whose shadow it is, where a number's derivative lies, and how it is added."""
