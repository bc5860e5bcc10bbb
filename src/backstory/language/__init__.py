"""Words, stems and scripts: pure functions over other libraries."""
