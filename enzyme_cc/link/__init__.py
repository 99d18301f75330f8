"""enzyme-ld: differentiate what a link asks for, and hand everything else to the native linker untouched."""
