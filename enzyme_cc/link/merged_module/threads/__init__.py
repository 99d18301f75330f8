"""How the parallel regions of differentiated code run, and what is warned of if they run in teams of one."""
