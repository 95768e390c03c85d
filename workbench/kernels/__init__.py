"""How kernels are compiled, and where what was compiled is kept (floor 0)."""

from workbench.kernels.cache import use_cache_folder

use_cache_folder()  # before numba is imported
