"""What the services ask of the outside: protocols, and nothing else."""
