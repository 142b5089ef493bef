"""Speed, measured: ``python -m benchmarks`` (``make bench``) writes ``benchmarks/results``."""
