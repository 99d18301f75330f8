"""A function with a version for each processor is differentiated in the version for any processor."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.versions import resolve_versions
from enzyme_cc.ir.constants import GlobalRef
from enzyme_cc.ir.module import Module

PROGRAM = """
@f = ifunc double (double), ptr @f.resolver
define ptr @f.resolver() {
  %fast = call i1 @has_avx2()
  %chosen = select i1 %fast, ptr @f.avx2, ptr @f.default
  ret ptr %chosen
}
declare i1 @has_avx2()
define double @f.avx2(double %x) {
  ret double %x
}
define double @f.default(double %x) {
  ret double %x
}
"""


def test_the_default_version_is_taken() -> None:
    module = Module.parse(PROGRAM)
    resolve_versions(PROGRAM, module)
    assert module.globals["@f"].initializer == GlobalRef.of("@f.default")


def test_a_resolver_without_a_body_tells_nothing() -> None:
    text = "@f = ifunc double (double), ptr @f.resolver\ndeclare ptr @f.resolver()\n"
    module = Module.parse(text)
    resolve_versions(text, module)
    assert module.globals["@f"].initializer == GlobalRef.of("@f.resolver")
