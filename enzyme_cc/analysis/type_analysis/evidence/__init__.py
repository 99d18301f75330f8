"""From the solved graph to layouts: the evidence about some bytes is collected and weighed."""
