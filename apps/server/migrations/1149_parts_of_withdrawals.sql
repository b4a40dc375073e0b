CREATE INDEX CONCURRENTLY pool_withdrawal_parts ON pool_withdrawal (part_of) WHERE part_of IS NOT NULL;
