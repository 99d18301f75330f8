/* Random options for each planner: shapes, strides, in place, signs, kinds, flags. */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double T;
#define X(n) fftw_##n
typedef X(complex) C;
enum { C2C, R2C, C2R, R2R };
enum { D1, D2, D3, ND, MANY, GURU, GURU64, SPLIT, SPLIT64 };
struct cfg {
  int form, api, rank, n[4], howmany, inplace, sign, flags, is, id, os, od, iemb[4], oemb[4], nemb;
  X(r2r_kind) kinds[4];
  X(iodim) dims[4], over[2]; X(iodim64) dims64[4], over64[2]; int hrank;
  int size_in, size_out; /* in real numbers */
};
static int rnd(int n) { return rand() % n; }
static int layout(struct cfg *c, int side) { /* guru strides: a random order of dims with gaps */
  int order[8], k = c->rank + c->hrank, half = c->rank - 1;
  for (int i = 0; i < k; i++) order[i] = i;
  for (int i = k - 1; i > 0; i--) { int j = rnd(i + 1), t = order[i]; order[i] = order[j]; order[j] = t; }
  int stride = 1 + rnd(2);
  for (int i = 0; i < k; i++) {
    int d = order[i]; X(iodim) *q = d < c->rank ? &c->dims[d] : &c->over[d - c->rank];
    int len = q->n; if (d == half && ((c->form == R2C && side) || (c->form == C2R && !side))) len = len / 2 + 1;
    if (side) q->os = stride; else q->is = stride;
    stride = stride * len + rnd(2);
  }
  return stride;
}
static int iscomplex(int form, int side) { return form == C2C || form == (side ? R2C : C2R); }
static void config(struct cfg *c, int form, int api) {
  memset(c, 0, sizeof *c);
  c->form = form; c->api = api;
  c->rank = api <= D3 ? api - D1 + 1 : api == ND || api == MANY ? 1 + rnd(3) : rnd(10) ? 1 + rnd(3) : 0;
  if (form == R2C || form == C2R || form == R2R) if (!c->rank) c->rank = 1;
  c->sign = rnd(2) ? 1 : -1;
  c->flags = rnd(6) ? FFTW_ESTIMATE : FFTW_MEASURE;
  if (rnd(4) == 0) c->flags |= FFTW_UNALIGNED;
  if (rnd(5) == 0) c->flags |= FFTW_DESTROY_INPUT;
  else if (rnd(4) == 0 && !(form == C2R && c->rank > 1)) c->flags |= FFTW_PRESERVE_INPUT;
  for (int d = 0; d < c->rank; d++) c->n[d] = 2 + rnd(6), c->kinds[d] = rnd(11);
  if (form != R2R) for (int d = 0; d < c->rank; d++) if (!rnd(6)) c->n[d] = 1;
  c->inplace = rnd(3) == 0;
  int full = 1, half = 1;
  for (int d = 0; d < c->rank; d++) full *= c->n[d], half *= d == c->rank - 1 ? c->n[d] / 2 + 1 : c->n[d];
  int padded = c->rank ? half * 2 : 1;
  if (api <= ND) {
    c->size_in = form == C2C ? 2 * full : form == C2R ? 2 * half : form == R2C && c->inplace ? padded : full;
    c->size_out = form == C2C ? 2 * full : form == R2C ? 2 * half : form == C2R && c->inplace ? padded : full;
    return;
  }
  c->howmany = 1 + rnd(3);
  if (api == MANY) {
    c->nemb = rnd(2);
    int interleaved = rnd(2);
    int ni = 1, no = 1;
    for (int d = 0; d < c->rank; d++) {
      int li = c->n[d], lo = c->n[d];
      if (d == c->rank - 1 && form == C2R) li = li / 2 + 1;
      if (d == c->rank - 1 && form == R2C) lo = lo / 2 + 1;
      if (d == c->rank - 1 && c->inplace && form == R2C) li = 2 * lo;
      if (d == c->rank - 1 && c->inplace && form == C2R) lo = 2 * li;
      if (c->nemb && !(c->inplace)) li += rnd(2), lo += rnd(2);
      c->iemb[d] = li, c->oemb[d] = lo; ni *= li, no *= lo;
    }
    if (c->inplace && (form == R2C || form == C2R)) interleaved = 0;
    if (interleaved) c->is = c->howmany + rnd(2), c->id = 1, c->os = c->inplace ? c->is : c->howmany + rnd(2), c->od = 1;
    else c->is = c->inplace && form != C2C && form != R2R ? 1 : 1 + rnd(2), c->os = c->inplace ? c->is : 1 + rnd(2), c->id = ni * c->is + (c->inplace ? 0 : rnd(2)), c->od = no * c->os + (c->inplace ? 0 : rnd(2));
    c->size_in = (ni * c->is + c->howmany * c->id) * (iscomplex(form, 0) ? 2 : 1);
    c->size_out = (no * c->os + c->howmany * c->od) * (iscomplex(form, 1) ? 2 : 1);
    return;
  }
  if (form == R2C || form == C2R) c->inplace = 0;
  c->hrank = rnd(3);
  for (int d = 0; d < c->rank; d++) c->dims[d].n = c->n[d];
  for (int d = 0; d < c->hrank; d++) c->over[d].n = 1 + rnd(3);
  c->size_in = layout(c, 0) * (iscomplex(form, 0) ? 2 : 1);
  c->size_out = layout(c, 1) * (iscomplex(form, 1) ? 2 : 1);
  if (c->inplace) {
    for (int d = 0; d < c->rank; d++) c->dims[d].os = c->dims[d].is;
    for (int d = 0; d < c->hrank; d++) c->over[d].os = c->over[d].is;
    c->size_out = c->size_in;
  }
  for (int d = 0; d < c->rank; d++) c->dims64[d] = (X(iodim64)){c->dims[d].n, c->dims[d].is, c->dims[d].os};
  for (int d = 0; d < c->hrank; d++) c->over64[d] = (X(iodim64)){c->over[d].n, c->over[d].is, c->over[d].os};
}
