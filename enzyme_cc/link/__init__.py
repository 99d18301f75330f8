"""enzyme-ld: makes the derivatives that a link asks for. The native linker does the rest, with unchanged inputs."""
