int scale(int i) { return 5 * i; }
