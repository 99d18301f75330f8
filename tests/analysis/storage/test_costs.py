"""Which calls the reverse sweep repeats because they are cheap."""

from enzyme_cc.analysis.storage.costs import is_cheap


def test_arithmetic_in_the_form_of_a_call_is_cheap() -> None:
    assert is_cheap("llvm.fabs.f64")
    assert is_cheap("fabs")


def test_functions_with_series_are_not() -> None:
    assert not is_cheap("llvm.sin.f64")
    assert not is_cheap("sin")
