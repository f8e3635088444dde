"""What each page shows, as one frozen dataclass built from few queries. Templates read these and nothing else."""
