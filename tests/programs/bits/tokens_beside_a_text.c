/* A parser reads numbers by strtod from a text whose address lies in its state. The kinds of tokens beside the address
   are no characters of the text, though they come from memory that may hold numbers or pointers. */
#include "../check.h"

#include <ctype.h>

enum { END, VARIABLE, NUMBER, SUM };
struct variable {
  const char *name;
  double *place;
  int kind;
  const struct variable *next;
};
struct state {
  const char *next;
  int kind;
  union { double value; double *place; };
  const struct variable *known;
};
struct node {
  int kind;
  union { double value; double *place; };
  struct node *parts[2];
};

static union { struct variable variable; struct node node; } blocks[16];
static int used;

static const struct variable *find(const struct state *s, char name) {
  const struct variable *v = s->known;
  while (v->name[0] != name)
    v = v->next;
  return v;
}

static void take(struct state *s) {
  while (*s->next == ' ')
    s->next++;
  if (isdigit(*s->next)) {
    s->value = strtod(s->next, (char **)&s->next);
    s->kind = NUMBER;
  } else if (isalpha(*s->next)) {
    const struct variable *v = find(s, *s->next++);
    s->kind = v->kind;
    s->place = v->place;
  } else {
    s->kind = *s->next++ == '+' ? SUM : END;
  }
}

static struct node *leaf(struct state *s) {
  struct node *n = &blocks[used++].node;
  n->kind = s->kind;
  if (s->kind == NUMBER)
    n->value = s->value;
  else
    n->place = s->place;
  take(s);
  return n;
}

static struct node *parse(struct state *s) {
  struct node *n = leaf(s);
  while (s->kind == SUM) {
    struct node *sum = &blocks[used++].node;
    sum->kind = SUM;
    take(s);
    sum->parts[0] = n;
    sum->parts[1] = leaf(s);
    n = sum;
  }
  return n;
}

static double value(struct node *n) {
  double result = n->kind == NUMBER ? n->value : n->kind == VARIABLE ? *n->place * *n->place : 0;
  for (int i = 0; n->kind == SUM && i < 2; i++)
    result += value(n->parts[i]);
  return result;
}

static double run(double *x) {
  struct variable *known = NULL;
  used = 0;
  for (int i = 0; i < 2; i++) {
    struct variable *v = &blocks[used++].variable;
    *v = (struct variable){i ? "y" : "x", &x[i], VARIABLE, known};
    known = v;
  }
  struct state s = {"x + 2.5 + y + x", END, {0}, known};
  take(&s);
  return value(parse(&s));
}

int main(void) {
  CHECK(run, 1.5, 2.5);
  return failures;
}
