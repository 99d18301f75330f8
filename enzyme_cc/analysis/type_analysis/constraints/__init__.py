"""What the code says: each instruction of each analysed function enters facts and edges into the graph."""
