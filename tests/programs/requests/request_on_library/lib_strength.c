double strength = 1.75;
