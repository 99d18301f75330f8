"""Work that templates of headers divide among threads, and that one thread does as a whole.

In differentiated code, one thread does all work of oneTBB, and of the parallel algorithms of C++ 17, which libstdc++
makes of it. So their templates need not divide it:

- A partitioner divides a range for the threads that there are, and for those that may come. Not so
  `simple_partitioner`, which promises parts of a given size.
- The parallel algorithms sort and merge parts of more than a number of elements by several threads.
- The end of a task group asks whether an exception is on its way, if tasks are left. An exception alone leaves tasks,
  since a task runs where it is spawned.

What is not divided takes less to differentiate: no tasks, and no merges.
"""

from __future__ import annotations

import re

from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.participants import linkage

_CALL = r"(?:tail )?call (?:\w+ )*"
_END = r"[^\n]*$"
_DIVIDES = (
    r"_ZN3tbb6detail2d1(?:19partition_type_baseI\w+E7executeI|22dynamic_grainsize_modeI\w+E12work_balanceI"
    r"|10start_scanI[\w$.]+16auto_partitionerEE7executeE)"
)
#: functions of headers, what they ask about the work, and the answer for one thread
_QUESTIONS = tuple(
    (re.compile(functions), re.compile(rf"^  (?P<result>%{NAME}) = {question}{_END}", re.MULTILINE), answer)
    for functions, question, answer in (
        (_DIVIDES, rf'{_CALL}i1 @"?_ZNK?[\w$.]+12is_divisibleEv', "i1 false"),
        (r"_ZN3tbb6detail2d[12]15task_group_baseD", rf"{_CALL}i32 @_ZSt19uncaught_exceptionsv\(\)", "i32 1"),
        (r"_ZZN6__pstl13__tbb_backend22__parallel_stable_sortI", rf"icmp sgt i64 %{NAME}, 500\b", "i1 false"),
        (r"_ZN6__pstl13__tbb_backend16__parallel_mergeI", rf"icmp sle i64 %{NAME}, 2000\b", "i1 true"),
    )
)
_HEADERS = ("_ZN3tbb6detail", "_ZZN6__pstl13__tbb_backend", "_ZN6__pstl13__tbb_backend")


def with_undivided_work(text: str) -> str:
    """Returns the text in which functions that requests may reach do not divide work for other threads."""
    if not any(header in text for header in _HEADERS):
        return text
    module = ModuleText(text)
    reached = reached_by_requests(module)

    def change(entity: Entity, body: str) -> str | None:
        if entity not in reached or not entity.name.startswith(_HEADERS):
            return None
        for functions, question, answer in _QUESTIONS:
            if functions.match(entity.name):
                return question.sub(rf"  \g<result> = freeze {answer}", body)
        return None

    return linkage.edit(module, change)
