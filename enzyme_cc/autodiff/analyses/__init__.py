"""One function with one signature: its analyses, and the refusals that follow from them."""
