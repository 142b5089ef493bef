"""The engine: compilation and its cache, the loops over a batch, and the batch itself."""
