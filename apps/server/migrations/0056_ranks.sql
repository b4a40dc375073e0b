-- Pages of long lists that begin after a given row. PostgreSQL asks no index for a range of numeric under row-level security,
-- since its comparisons are not leakproof; those of float8 are. Each amount that lists are ordered by has its rank beside
-- it, the nearest float8: never in another order than the amounts, and equal only where these differ by less than one
-- part in 10^15. Indexes go by rank, then by the amount itself where more digits are shown than a rank has.

ALTER TABLE trader ADD aum_rank float8 NOT NULL GENERATED ALWAYS AS (coalesce(aum::float8, '-Infinity')) STORED;
ALTER TABLE trader_provider ADD aum_rank float8 NOT NULL GENERATED ALWAYS AS (coalesce(aum::float8, '-Infinity')) STORED;
ALTER TABLE trader_in_set ADD aum_rank float8 NOT NULL GENERATED ALWAYS AS (coalesce(aum::float8, '-Infinity')) STORED;
ALTER TABLE payout_provider ADD amount_rank float8 NOT NULL GENERATED ALWAYS AS (amount_units::float8) STORED;
ALTER TABLE payout_in_set ADD amount_rank float8 NOT NULL GENERATED ALWAYS AS (amount_units::float8) STORED;
ALTER TABLE invoice ADD amount_rank float8 NOT NULL GENERATED ALWAYS AS (amount_units::float8) STORED;
ALTER TABLE invoice_group ADD amount_rank float8 NOT NULL GENERATED ALWAYS AS (amount_units::float8) STORED;

DROP INDEX trader_by_community, trader_by_aum, trader_by_tab_aum, trader_provider_by_aum, trader_provider_alone, trader_provider_of_any_tab,
  trader_in_set_by_aum, trader_in_set_of_any_tab, payout_provider_by_amount, payout_in_set_by_amount, invoice_by_amount,
  invoice_group_by_amount, invoice_group_of_provider_by_amount;

-- An AUM is shown as a number, which has as many digits as its rank.
CREATE INDEX trader_by_community ON trader (community_id, tab) INCLUDE (aum, account_count);
CREATE INDEX trader_by_aum ON trader (aum_rank DESC, id);
CREATE INDEX trader_by_tab_aum ON trader (tab, aum_rank DESC, id) INCLUDE (aum);
CREATE INDEX trader_provider_by_aum ON trader_provider (provider_id, tab, aum_rank DESC, trader_id)
  INCLUDE (aum, account_count, community_id);
CREATE INDEX trader_provider_alone ON trader_provider (provider_id, tab, aum_rank DESC, trader_id)
  INCLUDE (aum, account_count, community_id)
  WHERE NOT is_shared;
CREATE INDEX trader_provider_of_any_tab ON trader_provider (provider_id, aum_rank DESC, trader_id)
  INCLUDE (tab, is_shared, aum);
CREATE INDEX trader_in_set_by_aum ON trader_in_set (set_id, tab, aum_rank DESC, trader_id) INCLUDE (aum);
CREATE INDEX trader_in_set_of_any_tab ON trader_in_set (set_id, aum_rank DESC, trader_id);

CREATE INDEX payout_provider_by_amount ON payout_provider (provider_id, amount_rank, amount_units, payout_id)
  INCLUDE (community_id, recipient_type, status, created_at, is_shared);
CREATE INDEX payout_in_set_by_amount ON payout_in_set (set_id, amount_rank, amount_units, payout_id);

CREATE INDEX invoice_by_amount ON invoice (amount_rank, amount_units, id) INCLUDE (trader_id, provider_id, community_id,
  exchange, invoice_type, status, is_archived, paid_units, due_at, created_at, updated_at);
CREATE INDEX invoice_group_by_amount ON invoice_group (tab, amount_rank, amount_units, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_amount ON invoice_group (provider_id, tab, amount_rank, amount_units, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;
