"""The data of one round of differentiation: options, signatures, scopes, layouts, registrations."""
