"""Which units take part in differentiation, and which of their symbols others refer to."""
