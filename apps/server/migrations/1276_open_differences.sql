CREATE INDEX CONCURRENTLY closed_position_open_difference ON closed_position (id)
  WHERE (corrected_pnl IS NOT NULL AND NOT is_correction_decided) OR (double_of IS NOT NULL AND NOT is_double_decided);
