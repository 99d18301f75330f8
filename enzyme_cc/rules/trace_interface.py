"""The functions by which a probabilistic program keeps traces. The program defines them; variants call them.

They are found by a word in their names, as requests are.
"""

from __future__ import annotations

NEW_TRACE = "__enzyme_newtrace"
GET_TRACE = "__enzyme_get_trace"
GET_CHOICE = "__enzyme_get_choice"
INSERT_CALL = "__enzyme_insert_call"
INSERT_CHOICE = "__enzyme_insert_choice"
INSERT_GRADIENT = "__enzyme_insert_gradient_choice"
INSERT_ARGUMENT = "__enzyme_insert_argument"
INSERT_ARGUMENT_GRADIENT = "__enzyme_insert_gradient_argument"
INSERT_RETURN = "__enzyme_insert_return"
INSERT_FUNCTION = "__enzyme_insert_function"
HAS_CALL = "__enzyme_has_call"
HAS_CHOICE = "__enzyme_has_choice"
#: the order in which a table of enzyme_interface holds the functions
TABLE = (
    GET_TRACE, GET_CHOICE, INSERT_CALL, INSERT_CHOICE, INSERT_ARGUMENT, INSERT_RETURN, INSERT_FUNCTION,
    INSERT_GRADIENT, INSERT_ARGUMENT_GRADIENT, NEW_TRACE, "__enzyme_freetrace", HAS_CALL, HAS_CHOICE,
)  # fmt: skip
#: results and parameters of the functions that a table holds, as LLVM's text
PROTOTYPES = {
    NEW_TRACE: ("ptr", ()),
    GET_TRACE: ("ptr", ("ptr", "ptr")),
    GET_CHOICE: ("i64", ("ptr", "ptr", "ptr", "i64")),
    INSERT_CALL: ("void", ("ptr", "ptr", "ptr")),
    INSERT_CHOICE: ("void", ("ptr", "ptr", "double", "ptr", "i64")),
    INSERT_GRADIENT: ("void", ("ptr", "ptr", "ptr", "i64")),
    INSERT_ARGUMENT: ("void", ("ptr", "ptr", "ptr", "i64")),
    INSERT_ARGUMENT_GRADIENT: ("void", ("ptr", "ptr", "ptr", "i64")),
    INSERT_RETURN: ("void", ("ptr", "ptr", "i64")),
    INSERT_FUNCTION: ("void", ("ptr", "ptr")),
    HAS_CALL: ("i1", ("ptr", "ptr")),
    HAS_CHOICE: ("i1", ("ptr", "ptr")),
}
#: all words; programs for Enzyme define the others, too, which are not called here
WORDS = (
    NEW_TRACE, GET_TRACE, GET_CHOICE, INSERT_CALL, INSERT_CHOICE, INSERT_GRADIENT, HAS_CALL, HAS_CHOICE,
    INSERT_ARGUMENT, INSERT_ARGUMENT_GRADIENT, INSERT_RETURN, INSERT_FUNCTION,
    "__enzyme_freetrace", "__enzyme_get_likelihood",
)  # fmt: skip


def is_trace_interface(name: str) -> bool:
    """True if a function with this name, which C++ may have mangled, belongs to the interface."""
    return any(word in name for word in WORDS)
