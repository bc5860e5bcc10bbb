"""The file format of exports: records to lines of JSON, and back."""
