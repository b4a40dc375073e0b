-- Written by `npm run generate` from a migrated database. Do not edit.

-- A row of the grouped view, for one provider or for all together (is_whole). An index serves each order of each
-- tab. Kept by triggers.
CREATE TABLE invoice_group (
  trader_id uuid NOT NULL,
  -- NULL: the sum over all providers, visible only to transactions that see everything.
  provider_id uuid,
  is_whole boolean NOT NULL GENERATED ALWAYS AS (provider_id IS NULL) STORED,
  is_archived boolean NOT NULL,
  reference text,
  -- A group is unpaid while one of its invoices is pending. A group that is neither (paid and cancelled invoices
  -- together) is shown under All.
  tab text NOT NULL GENERATED ALWAYS AS (CASE WHEN is_archived THEN 'archived' WHEN unpaid = 0 THEN 'paid'
    WHEN pending > 0 THEN 'unpaid' ELSE 'other' END) STORED,
  invoices integer NOT NULL,
  unpaid integer NOT NULL,
  part_paid integer NOT NULL,
  overpaid integer NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  paid_units numeric(38,0) NOT NULL,
  last_created timestamptz NOT NULL,
  last_updated timestamptz NOT NULL,
  -- The combinations of app.invoice_cell that occur in the group. Together with the ranges of dates and amounts, it
  -- decides whether any invoice of the group matches a filter: counting by tab needs no more.
  cells bigint NOT NULL,
  first_created timestamptz NOT NULL,
  min_amount numeric(38,0) NOT NULL,
  max_amount numeric(38,0) NOT NULL,
  -- The unpaid_ columns are the ranges of dates and amounts of the invoices that are not paid.
  unpaid_first_created timestamptz,
  unpaid_last_created timestamptz,
  unpaid_min_amount numeric(38,0),
  unpaid_max_amount numeric(38,0),
  first_due timestamptz,
  last_due timestamptz,
  -- Whether other providers have invoices of the trader as well. Staff of several providers add up these groups, and
  -- read the others as they are.
  is_shared boolean NOT NULL,
  -- The reference number for search, in lower case.
  searched text GENERATED ALWAYS AS (lower(reference)) STORED,
  pending integer NOT NULL,
  -- The pending_ columns are the ranges of dates and amounts of the pending invoices.
  pending_first_created timestamptz,
  pending_last_created timestamptz,
  pending_min_amount numeric(38,0),
  pending_max_amount numeric(38,0),
  -- Invoices of all providers together: more than invoices where a provider sees a part.
  whole_invoices integer NOT NULL,
  -- See trader.aum_rank.
  amount_rank double precision NOT NULL GENERATED ALWAYS AS (amount_units::double precision) STORED,
  CONSTRAINT invoice_group_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT invoice_group_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE,
  CONSTRAINT invoice_group_trader_id_is_archived_provider_id_key
    UNIQUE NULLS NOT DISTINCT (trader_id, is_archived, provider_id)
);

CREATE INDEX invoice_group_by_amount ON invoice_group (tab, amount_rank, amount_units, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_by_created ON invoice_group (tab, last_created, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_by_reference ON invoice_group (reference, trader_id);
CREATE INDEX invoice_group_by_updated ON invoice_group (tab, last_updated, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_amount
  ON invoice_group (provider_id, tab, amount_rank, amount_units, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_created ON invoice_group (provider_id, tab, last_created, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_updated ON invoice_group (provider_id, tab, last_updated, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_shared ON invoice_group (provider_id, trader_id) WHERE is_shared AND NOT is_whole;

ALTER TABLE invoice_group ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_group FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_group_scope ON invoice_group FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
