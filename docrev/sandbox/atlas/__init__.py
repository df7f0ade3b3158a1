"""Atlas: countries, cities, currencies and languages of the world, with notes that can be written."""
