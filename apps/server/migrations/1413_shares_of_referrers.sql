-- Whether who referred a community ever had a share of it.
CREATE INDEX CONCURRENTLY payable_of_referrer ON payable (community_id) WHERE recipient_type = 'community_referrer';
