"""The tests, a package so that folders named like standard modules do not hide them."""
