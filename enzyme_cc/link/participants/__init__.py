"""The units that take part in differentiation, and the symbols that other units need of them."""
