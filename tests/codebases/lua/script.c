/* A function of a script, in a state that is made before: tables, closures, strings and the math library. */
#include "check.h"
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

static const char *const script = "local scale = {first = 2.0, second = 0.5}\n"
                                  "local function power(n)\n"
                                  "  return function(x)\n"
                                  "    local product = 1.0\n"
                                  "    for i = 1, n do product = product * x end\n"
                                  "    return product\n"
                                  "  end\n"
                                  "end\n"
                                  "local cube = power(3)\n"
                                  "function f(x)\n"
                                  "  local terms, names = {}, {'first', 'second'}\n"
                                  "  for i = 1, #names do\n"
                                  "    local name = names[i]\n"
                                  "    terms[i] = scale[name] * math.sin(x * i) + cube(x) / #name\n"
                                  "  end\n"
                                  "  local sum = 0.0\n"
                                  "  for i = 1, #terms do sum = sum + terms[i] end\n"
                                  "  if names[2] == 'second' then sum = sum * math.exp(0.1 * x) end\n"
                                  "  return sum\n"
                                  "end\n";
static lua_State *state;

static double called(double *x) {
  double value = NAN;
  lua_getglobal(state, "f");
  lua_pushnumber(state, x[0]);
  if (lua_pcall(state, 1, 1, 0) == LUA_OK)
    value = lua_tonumber(state, -1);
  lua_pop(state, 1);
  return value;
}

int main(void) {
  state = luaL_newstate();
  luaL_openlibs(state);
  if (luaL_loadstring(state, script) != LUA_OK || lua_pcall(state, 0, 0, 0) != LUA_OK)
    return fprintf(stderr, "%s\n", lua_tostring(state, -1)), 1;
  lua_gc(state, LUA_GCSTOP); /* steps of the collector would be differentiated, and that is refused */
  CHECK(called, 0.8);
  lua_close(state);
  return failures;
}
