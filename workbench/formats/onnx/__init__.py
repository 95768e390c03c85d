"""Tree ensembles in ONNX."""
