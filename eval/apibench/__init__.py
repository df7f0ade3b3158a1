"""APIBench: answers of models scored by syntax trees."""
