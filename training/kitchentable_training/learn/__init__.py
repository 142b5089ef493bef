"""Training runs: settings become players."""

import os

# torch then asks Linux for large pages. Rollouts and minibatches take up much new memory, and
# getting it page by page takes longer than working on it.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
