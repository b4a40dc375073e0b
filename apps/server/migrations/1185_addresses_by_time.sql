-- Workers look for traders whose address was changed lately, whatever is in the book.
CREATE INDEX CONCURRENTLY payout_address_change_lately ON payout_address_change (changed_at) WHERE owner_kind = 'trader';
