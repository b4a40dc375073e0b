-- Counts of a search that many payouts answer to read the id of each: these indexes have it, and the rows stay unread.
-- Indexes of ids alone cost a change of a payout the same number of entries, 16 bytes longer each.

DROP INDEX payout_by_recipient, payout_by_consolidation, payout_by_distribution;
CREATE INDEX payout_by_recipient ON payout (recipient_search) INCLUDE (id);
CREATE INDEX payout_by_consolidation ON payout (consolidate_transaction_hash COLLATE "C") INCLUDE (id);
CREATE INDEX payout_by_distribution ON payout (distribute_transaction_hash COLLATE "C") INCLUDE (id);
