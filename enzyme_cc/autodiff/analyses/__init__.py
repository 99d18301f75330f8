"""The analyses of one function with one signature, and the refusals that follow from them."""
