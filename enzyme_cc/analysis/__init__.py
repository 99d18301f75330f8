"""Questions about IR that differentiation asks; nothing here changes a function."""
