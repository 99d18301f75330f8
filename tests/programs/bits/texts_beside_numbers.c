/* Structs with names, letters and dates beside numbers: texts are made of these and read again, and nothing is refused. */
#include "../check.h"

struct atom {
  char element[4];
  unsigned char number, kind;
  short charge;
  float weight;
  double place[3];
};

static double of_atoms(double *x) {
  static const char *const names[] = {"C", "O", "H", "H"};
  struct atom atoms[4], turned[4];
  for (int k = 0; k < 4; k++) {
    strcpy(atoms[k].element, names[k]);
    atoms[k].number = names[k][0] == 'C' ? 6 : names[k][0] == 'O' ? 8 : 1;
    atoms[k].kind = (unsigned char)(k % 3);
    atoms[k].charge = (short)(k - 1);
    atoms[k].weight = (float)k;
    for (int j = 0; j < 3; j++)
      atoms[k].place[j] = x[0] * k + x[1] * j;
  }
  double sum = 0;
  for (int k = 0; k < 4; k++)
    turned[3 - k] = atoms[k];
  for (int k = 0; k < 4; k++) {
    char key[3] = {turned[k].element[0], (char)('0' + turned[k].number), 0};
    sum += atoi(key + 1) * turned[k].place[1] * turned[k].place[2] * turned[k].charge;
  }
  return sum;
}

struct quote {
  char date[11];
  int month, day;
  double open, close;
};

static double of_quotes(double *x) {
  struct quote quotes[40];
  double sum = 0;
  for (int d = 0; d < 40; d++) {
    struct quote *q = &quotes[d];
    q->month = 1 + d / 28, q->day = 1 + d % 28;
    memcpy(q->date, "2024-00-00", sizeof q->date);
    q->date[5] = (char)('0' + q->month / 10), q->date[6] = (char)('0' + q->month % 10);
    q->date[8] = (char)('0' + q->day / 10), q->date[9] = (char)('0' + q->day % 10);
    q->open = x[0] + d, q->close = x[1] * d;
  }
  for (int d = 0; d < 40; d++) {
    int year, month, day;
    if (sscanf(quotes[d].date, "%d-%d-%d", &year, &month, &day) == 3)
      sum += (quotes[d].close - quotes[d].open) * quotes[d].open * month / (day + 1.0);
  }
  return sum;
}

int main(void) {
  CHECK(of_atoms, 1.3, 2.7);
  CHECK(of_quotes, 1.3, 2.7);
  return failures;
}
