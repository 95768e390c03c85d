"""What pauses a run with a sentence that says why, one kind a module (floor 3, loads no kernels)."""
