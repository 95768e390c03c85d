"""Scoring a table on a cluster: Parquet in, Parquet out, partition by partition."""
