CREATE INDEX CONCURRENTLY message_of_run ON message (invoicing_run_id, state)
  WHERE invoicing_run_id IS NOT NULL AND state IN ('queued', 'failed');
