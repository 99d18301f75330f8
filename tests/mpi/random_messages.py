"""Makes programs of random messages: functions that are sequences of exchanges and local steps on numbers of each rank.

`python -m tests.mpi.random_messages SEED` prints a program, which compares its gradients with differences.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

_N = 4
_HEAD = """\
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD
enum { N = 4 };
"""
_LOCAL = (
    "for (int i = 0; i < N; i++) v[i] = u[i] * (0.7 + 0.1 * i) + 0.2 * sin(u[(i + 1) % N]);",
    "for (int i = 0; i < N; i++) v[i] = u[i] * u[(i + 2) % N] * 0.5 + 0.1 * rank;",
    "for (int i = 0; i < N; i++) v[i] = tanh(u[N - 1 - i]) + 0.3 * u[i];",
)
_BACK = "memcpy(u, v, sizeof u);"


def program(seed: int, functions: int = 6) -> str:
    """Returns the text of a program with that many functions."""
    choose = random.Random(seed)
    bodies = "".join(_function(choose, k) for k in range(functions))
    checks = "".join(f"  CHECK(f{k}, N);\n" for k in range(functions))
    main = f"int main(int count, char **words) {{\n  begin(&count, &words);\n{checks}  return end();\n}}\n"
    return _HEAD + bodies + main


def _function(choose: random.Random, k: int) -> str:
    steps = [choose.choice(_STEPS)(choose) for _ in range(choose.randint(2, 6))]
    lines = [line for step in steps for line in (choose.choice(_LOCAL), _BACK, step)]
    body = "\n".join(f"  {line}" for line in lines)
    if choose.random() < 0.3:
        body = f"  for (int t = 0; t < {choose.randint(2, 4)}; t++) {{\n{body}\n  }}"
    end = "  for (int i = 0; i < N; i++)\n    s += u[i] * u[i] * (i + 1);\n  return s;\n}\n"
    return (
        f"static double f{k}(const double *x) {{\n  double u[N], v[N], s = 0;\n  memcpy(u, x, sizeof u);\n{body}\n{end}"
    )


def _shifts(choose: random.Random) -> tuple[str, str]:
    """Returns the ranks to send to and to receive from: around, or to a neighbour that may not be there."""
    shift = choose.randint(1, 3)
    if choose.random() < 0.5:
        return f"(rank + {shift}) % size", f"(rank + {shift} * (size - 1)) % size"
    return (
        f"(rank + {shift} < size ? rank + {shift} : MPI_PROC_NULL)",
        f"(rank - {shift} >= 0 ? rank - {shift} : MPI_PROC_NULL)",
    )


def _exchange(choose: random.Random) -> str:
    to, origin = _shifts(choose)
    n, tag = choose.randint(1, _N), choose.choice((0, 3, 70000))
    if choose.random() < 0.3:
        return (
            f"MPI_Sendrecv_replace(u, {n}, MPI_DOUBLE, {to}, {tag}, {origin}, MPI_ANY_TAG, WORLD, MPI_STATUS_IGNORE);"
        )
    return (
        f"MPI_Sendrecv(u, {n}, MPI_DOUBLE, {to}, {tag}, v, N, MPI_DOUBLE, {origin}, {tag}, WORLD, MPI_STATUS_IGNORE); "
        "for (int i = 0; i < N; i++) u[i] = 0.5 * u[i] + 0.4 * v[i];"
    )


def _requests(choose: random.Random) -> str:
    """Several messages with few tags at once, waited for in some order."""
    count = choose.randint(1, 4)
    shifts = [_shifts(choose) for _ in range(count)]
    tags = [choose.randint(0, 1) for _ in range(count)]
    begun = [f"MPI_Irecv(&v[{i}], 1, MPI_DOUBLE, {shifts[i][1]}, {tags[i]}, WORLD, &r[{i}]);" for i in range(count)]
    kind = choose.choice(("Isend", "Issend"))
    begun += [
        f"MPI_{kind}(&u[{i}], 1, MPI_DOUBLE, {shifts[i][0]}, {tags[i]}, WORLD, &r[{count + i}]);" for i in range(count)
    ]
    order = choose.sample(range(2 * count), 2 * count)
    waits = [f"MPI_Wait(&r[{i}], MPI_STATUS_IGNORE);" for i in order]
    if choose.random() < 0.4:
        waits = [f"MPI_Waitall({2 * count}, r, MPI_STATUSES_IGNORE);"]
    elif choose.random() < 0.4:
        waits = [
            f"for (int w = 0, at; w < {2 * count}; w++) MPI_Waitany({2 * count}, r, &at, MPI_STATUS_IGNORE);",
        ]
    return " ".join(["{ MPI_Request r[8];", *begun, *waits, "memcpy(u, v, sizeof u); }"])


def _reduction(choose: random.Random) -> str:
    op = choose.choice(("SUM", "SUM", "PROD", "MAX", "MIN"))
    call = f"MPI_{op}, WORLD);"
    form = choose.randint(0, 2)
    if form == 0:
        return f"MPI_Allreduce(u, v, N, MPI_DOUBLE, {call} for (int i = 0; i < N; i++) u[i] = 0.3 * v[i];"
    if form == 1:
        return f"MPI_Allreduce(MPI_IN_PLACE, u, {choose.randint(1, _N)}, MPI_DOUBLE, {call} u[0] *= 0.3;"
    return (
        f"MPI_Reduce(u, v, {choose.randint(1, _N)}, MPI_DOUBLE, MPI_{op}, {choose.randint(0, 3)} % size, WORLD); "
        "for (int i = 0; i < N; i++) u[i] = 0.3 * v[i];"
    )


def _parts(choose: random.Random) -> str:
    root = f"{choose.randint(0, 3)} % size"
    return choose.choice(
        (
            f"MPI_Bcast(u, {choose.randint(1, _N)}, MPI_DOUBLE, {root}, WORLD);",
            "MPI_Scan(u, v, N, MPI_DOUBLE, MPI_SUM, WORLD); for (int i = 0; i < N; i++) u[i] = 0.4 * v[i];",
            "MPI_Exscan(MPI_IN_PLACE, u, N, MPI_DOUBLE, MPI_SUM, WORLD);",
            "{ double a[4 * N]; MPI_Allgather(u, N, MPI_DOUBLE, a, N, MPI_DOUBLE, WORLD); "
            "for (int i = 0; i < N; i++) u[i] = 0.5 * a[i] + 0.2 * a[(size - 1) * N + i]; }",
            "{ double a[4 * N] = {0}; "
            f"MPI_Gather(u, N, MPI_DOUBLE, a, N, MPI_DOUBLE, {root}, WORLD); for (int i = 1; i < 4 * N; i++) "
            f"a[i] += 0.1 * a[i - 1]; MPI_Scatter(a, N, MPI_DOUBLE, u, N, MPI_DOUBLE, {root}, WORLD); }}",
            "MPI_Alltoall(u, 1, MPI_DOUBLE, v, 1, MPI_DOUBLE, WORLD); memcpy(u, v, sizeof u);",
            "{ double a[4 * N]; for (int i = 0; i < 4 * N; i++) a[i] = u[i % N] * (i + 1) * 0.1; "
            "MPI_Reduce_scatter_block(a, u, N, MPI_DOUBLE, MPI_SUM, WORLD); }",
        )
    )


def _typed(choose: random.Random) -> str:
    to, origin = _shifts(choose)
    return (
        "{ MPI_Datatype t; MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &t); MPI_Type_commit(&t); "
        f"MPI_Sendrecv(u, 1, t, {to}, 1, v + 1, 2, MPI_DOUBLE, {origin}, 1, WORLD, MPI_STATUS_IGNORE); "
        "MPI_Type_free(&t); u[0] = v[1], u[1] = v[2] * v[0], u[3] *= v[3]; }"
    )


_BEGUN = (
    "MPI_Iallreduce(u, a[{k}], N, MPI_DOUBLE, MPI_{op}, WORLD, &r[{k}]);",
    "MPI_Ibcast(a[{k}], N, MPI_DOUBLE, {root}, WORLD, &r[{k}]);",
    "MPI_Iscan(u, a[{k}], N, MPI_DOUBLE, MPI_{op}, WORLD, &r[{k}]);",
    "MPI_Ireduce(u, a[{k}], N, MPI_DOUBLE, MPI_{op}, {root}, WORLD, &r[{k}]);",
    "MPI_Ialltoall(u, 1, MPI_DOUBLE, a[{k}], 1, MPI_DOUBLE, WORLD, &r[{k}]);",
    "MPI_Irecv(a[{k}], N, MPI_DOUBLE, (rank + size - 1) % size, {k}, WORLD, &r[{k}]); "
    "MPI_Send(u, N, MPI_DOUBLE, (rank + 1) % size, {k}, WORLD);",
)


def _under_way(choose: random.Random) -> str:
    """Collective calls and messages that are under way at once; ranks wait for them in different orders."""
    count = choose.randint(1, 4)
    begun = [
        choose.choice(_BEGUN).format(k=k, op=choose.choice(("SUM", "SUM", "PROD", "MAX")), root=f"{k} % size")
        for k in range(count)
    ]
    between = choose.choice(("", "MPI_Bcast(b, N, MPI_DOUBLE, size - 1, WORLD);", "b[1] *= u[0];"))
    waits = [f"for (int w = 0; w < {count}; w++) MPI_Wait(&r[(w + rank) % {count}], MPI_STATUS_IGNORE);"]
    ends = [f"for (int i = 0; i < N; i++) b[i] += 0.3 * a[{k}][i] * u[i];" for k in range(count)]
    start = "{ MPI_Request r[4]; double a[4][N], b[N]; memcpy(b, u, sizeof b); for (int k = 0; k < 4; k++) "
    start += "for (int i = 0; i < N; i++) a[k][i] = 0.3 * u[i];"
    lines = [start, *begun, between, *waits, *ends]
    return " ".join([*lines, "for (int i = 0; i < N; i++) u[i] = tanh(b[i]); }"])


def _window(choose: random.Random) -> str:
    """An epoch of one-sided calls; several ranks may add to one number."""
    shift, place = choose.randint(1, 3), choose.randint(0, 2)
    call = choose.choice(
        (
            f"MPI_Put(&u[{place}], 1, MPI_DOUBLE, (rank + {shift}) % size, {place}, 1, MPI_DOUBLE, w);",
            f"MPI_Get(&g[0], 2, MPI_DOUBLE, (rank + {shift}) % size, {place}, 2, MPI_DOUBLE, w);",
            "for (int i = 0; i < size; i++) "
            f"MPI_Accumulate(&u[1], 2, MPI_DOUBLE, i, {place}, 2, MPI_DOUBLE, MPI_SUM, w);",
        )
    )
    return (
        "{ MPI_Win w; double s[N], g[N]; memcpy(s, u, sizeof s), memcpy(g, u, sizeof g); "
        "MPI_Win_create(s, sizeof s, 8, MPI_INFO_NULL, WORLD, &w); MPI_Win_fence(0, w); "
        f"{call} MPI_Win_fence(0, w); for (int i = 0; i < N; i++) u[i] = tanh(0.4 * s[i] + 0.3 * g[i] * g[0]); "
        "MPI_Win_free(&w); }"
    )


_STEPS: tuple[Callable[[random.Random], str], ...] = (
    _exchange,
    _requests,
    _requests,
    _reduction,
    _parts,
    _typed,
    _under_way,
    _under_way,
    _window,
)

if __name__ == "__main__":
    print(program(int(sys.argv[1])))
