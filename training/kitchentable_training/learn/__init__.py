"""Training runs: from settings to trained players."""

import os

# Lets torch ask Linux for large pages. Rollouts and minibatches allocate much memory, and getting
# it page by page takes longer than working on it.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
