// A library's C interface hands objects out as pointers to a type that nobody defines, and casts them back for virtual
// calls. The type of the handle says nothing of the class.
#pragma once

extern "C" {
struct engine_handle;
engine_handle *engine_new(int kind);
double engine_run(engine_handle *engine, double x);
void engine_free(engine_handle *engine);
}
