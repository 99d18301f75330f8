"""The native linker: inputs made ready for it, the trial link, the final link."""
