"""The commands, one file each; a file is imported when its command runs."""
