"""What the calls of parallel programs mean: threads, and messages between processes."""
