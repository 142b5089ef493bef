"""Benchmarks: ``python -m benchmarks`` (``make bench``) writes ``benchmarks/results``."""
