CREATE INDEX CONCURRENTLY pool_withdrawal_under_way ON pool_withdrawal (transfer_id) WHERE state = 'paying';
