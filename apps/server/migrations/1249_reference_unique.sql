CREATE UNIQUE INDEX CONCURRENTLY trader_reference_unique ON trader (reference_sort)
  WHERE reference_number IS NOT NULL AND NOT reference_clash;
