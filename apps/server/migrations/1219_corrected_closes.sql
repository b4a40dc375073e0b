-- Closes that differ from what was invoiced, for the list of super admins.
CREATE INDEX CONCURRENTLY closed_position_differing ON closed_position (id)
  WHERE corrected_pnl IS NOT NULL OR double_of IS NOT NULL;
