-- The coin that was ordered within a day is summed before more is ordered.
CREATE INDEX CONCURRENTLY transfer_topup_by_time ON transfer (created_at) WHERE kind = 'gas_topup';
