# The recipe of Spack: copy it to packages/py_enzyme_cc/package.py of a repository of yours (spack repo create).
# It names no place of the sources: build a checkout with `spack dev-build py-enzyme-cc@0.1.0`.
from spack.package import *


class PyEnzymeCc(PythonPackage):
    """Automatic differentiation of existing compiled programs."""

    license("MIT")

    version("0.1.0")

    depends_on("c", type="build")
    depends_on("python@3.11:", type=("build", "run"))
    depends_on("py-scikit-build-core@0.10:", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("ninja", type="build")

    # the compilers run clang and flang of LLVM 22, and links read their bitcode
    depends_on("llvm@22 +clang +flang +lld", type=("build", "run"))
    depends_on("py-llvmlite@0.50", type=("build", "run"))
    depends_on("py-pyelftools@0.30:", type=("build", "run"))
    depends_on("py-msgspec@0.20:", type=("build", "run"))
    depends_on("py-click@8:", type=("build", "run"))
    depends_on("py-rich@13:", type=("build", "run"))
    depends_on("py-jinja2@3:", type=("build", "run"))

    def setup_run_environment(self, env):
        env.set("ENZYME_CC_CLANG", self.spec["llvm"].prefix.bin.clang)
        env.set("ENZYME_CC_CLANGXX", join_path(self.spec["llvm"].prefix.bin, "clang++"))
        env.set("ENZYME_CC_FLANG", self.spec["llvm"].prefix.bin.flang)
