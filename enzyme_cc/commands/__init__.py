"""The command `enzyme`: looks at programs, derivatives and this machine. No link and no compilation imports it."""
