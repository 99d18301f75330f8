"""Activity analysis: which values carry a derivative, which pointers have a shadow, and what is refused."""
