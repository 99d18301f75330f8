"""The native linker: prepared inputs, the trial link, the units that it traced, the final link."""
