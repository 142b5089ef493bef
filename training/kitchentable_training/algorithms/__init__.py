"""The learning algorithms, one file each, and what they share."""

import os

# Lets torch ask Linux for large pages. Rollouts and minibatches allocate much memory, and getting
# it page by page takes longer than working on it.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
