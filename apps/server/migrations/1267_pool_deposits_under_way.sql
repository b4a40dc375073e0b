CREATE INDEX CONCURRENTLY pool_deposit_under_way ON pool_deposit (transfer_id)
  WHERE state IN ('collecting', 'returning');
