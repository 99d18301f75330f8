"""What forward mode and reverse mode share when they emit code: clones, shadows, partial derivatives."""
