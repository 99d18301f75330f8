"""The graph of type analysis: nodes, facts and edges, and answers about its cycles."""
