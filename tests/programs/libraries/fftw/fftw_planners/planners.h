/* The call of a planner, and of its execution with new arrays, that options ask for. */
static X(plan) make(const struct cfg *c, T *in, T *out) {
  const int *n = c->n; C *ci = (C*)in, *co = (C*)out; unsigned fl = c->flags;
  const int *ie = c->nemb ? c->iemb : 0, *oe = c->nemb ? c->oemb : 0;
  int hi = c->size_in / 2, ho = c->size_out / 2;
  switch (c->api * 4 + c->form) {
  case D1*4+C2C: return X(plan_dft_1d)(n[0], ci, co, c->sign, fl);
  case D2*4+C2C: return X(plan_dft_2d)(n[0], n[1], ci, co, c->sign, fl);
  case D3*4+C2C: return X(plan_dft_3d)(n[0], n[1], n[2], ci, co, c->sign, fl);
  case ND*4+C2C: return X(plan_dft)(c->rank, n, ci, co, c->sign, fl);
  case D1*4+R2C: return X(plan_dft_r2c_1d)(n[0], in, co, fl);
  case D2*4+R2C: return X(plan_dft_r2c_2d)(n[0], n[1], in, co, fl);
  case D3*4+R2C: return X(plan_dft_r2c_3d)(n[0], n[1], n[2], in, co, fl);
  case ND*4+R2C: return X(plan_dft_r2c)(c->rank, n, in, co, fl);
  case D1*4+C2R: return X(plan_dft_c2r_1d)(n[0], ci, out, fl);
  case D2*4+C2R: return X(plan_dft_c2r_2d)(n[0], n[1], ci, out, fl);
  case D3*4+C2R: return X(plan_dft_c2r_3d)(n[0], n[1], n[2], ci, out, fl);
  case ND*4+C2R: return X(plan_dft_c2r)(c->rank, n, ci, out, fl);
  case D1*4+R2R: return X(plan_r2r_1d)(n[0], in, out, c->kinds[0], fl);
  case D2*4+R2R: return X(plan_r2r_2d)(n[0], n[1], in, out, c->kinds[0], c->kinds[1], fl);
  case D3*4+R2R: return X(plan_r2r_3d)(n[0], n[1], n[2], in, out, c->kinds[0], c->kinds[1], c->kinds[2], fl);
  case ND*4+R2R: return X(plan_r2r)(c->rank, n, in, out, c->kinds, fl);
  case MANY*4+C2C: return X(plan_many_dft)(c->rank, n, c->howmany, ci, ie, c->is, c->id, co, oe, c->os, c->od, c->sign, fl);
  case MANY*4+R2C: return X(plan_many_dft_r2c)(c->rank, n, c->howmany, in, ie, c->is, c->id, co, oe, c->os, c->od, fl);
  case MANY*4+C2R: return X(plan_many_dft_c2r)(c->rank, n, c->howmany, ci, ie, c->is, c->id, out, oe, c->os, c->od, fl);
  case MANY*4+R2R: return X(plan_many_r2r)(c->rank, n, c->howmany, in, ie, c->is, c->id, out, oe, c->os, c->od, c->kinds, fl);
  case GURU*4+C2C: return X(plan_guru_dft)(c->rank, c->dims, c->hrank, c->over, ci, co, c->sign, fl);
  case GURU*4+R2C: return X(plan_guru_dft_r2c)(c->rank, c->dims, c->hrank, c->over, in, co, fl);
  case GURU*4+C2R: return X(plan_guru_dft_c2r)(c->rank, c->dims, c->hrank, c->over, ci, out, fl);
  case GURU*4+R2R: return X(plan_guru_r2r)(c->rank, c->dims, c->hrank, c->over, in, out, c->kinds, fl);
  case GURU64*4+C2C: return X(plan_guru64_dft)(c->rank, c->dims64, c->hrank, c->over64, ci, co, c->sign, fl);
  case GURU64*4+R2C: return X(plan_guru64_dft_r2c)(c->rank, c->dims64, c->hrank, c->over64, in, co, fl);
  case GURU64*4+C2R: return X(plan_guru64_dft_c2r)(c->rank, c->dims64, c->hrank, c->over64, ci, out, fl);
  case GURU64*4+R2R: return X(plan_guru64_r2r)(c->rank, c->dims64, c->hrank, c->over64, in, out, c->kinds, fl);
  case SPLIT*4+C2C: return X(plan_guru_split_dft)(c->rank, c->dims, c->hrank, c->over, in, in+hi, out, out+ho, fl);
  case SPLIT*4+R2C: return X(plan_guru_split_dft_r2c)(c->rank, c->dims, c->hrank, c->over, in, out, out+ho, fl);
  case SPLIT*4+C2R: return X(plan_guru_split_dft_c2r)(c->rank, c->dims, c->hrank, c->over, in, in+hi, out, fl);
  case SPLIT64*4+C2C: return X(plan_guru64_split_dft)(c->rank, c->dims64, c->hrank, c->over64, in, in+hi, out, out+ho, fl);
  case SPLIT64*4+R2C: return X(plan_guru64_split_dft_r2c)(c->rank, c->dims64, c->hrank, c->over64, in, out, out+ho, fl);
  case SPLIT64*4+C2R: return X(plan_guru64_split_dft_c2r)(c->rank, c->dims64, c->hrank, c->over64, in, in+hi, out, fl);
  }
  return 0;
}
static void renew(const struct cfg *c, X(plan) p, T *in, T *out) {
  int hi = c->size_in / 2, ho = c->size_out / 2, split = c->api >= SPLIT;
  if (c->form == C2C && split) X(execute_split_dft)(p, in, in+hi, out, out+ho);
  else if (c->form == C2C) X(execute_dft)(p, (C*)in, (C*)out);
  else if (c->form == R2C && split) X(execute_split_dft_r2c)(p, in, out, out+ho);
  else if (c->form == R2C) X(execute_dft_r2c)(p, in, (C*)out);
  else if (c->form == C2R && split) X(execute_split_dft_c2r)(p, in, in+hi, out);
  else if (c->form == C2R) X(execute_dft_c2r)(p, (C*)in, out);
  else X(execute_r2r)(p, in, out);
}
