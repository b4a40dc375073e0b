-- Written by `npm run generate` from a migrated database. Do not edit.

-- Sums of the invoices of a trader by every column with few values: a filter by any of these adds up a few rows a
-- trader and never the invoices. Kept by triggers.
CREATE TABLE invoice_part (
  trader_id uuid NOT NULL,
  provider_id uuid,
  community_id uuid NOT NULL,
  exchange text,
  invoice_type text NOT NULL,
  status text NOT NULL,
  is_archived boolean NOT NULL,
  -- The trader's reference number. NULL: it has none, and its invoices belong to the group of all traders without
  -- one.
  reference text,
  invoices integer NOT NULL,
  part_paid integer NOT NULL,
  overpaid integer NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  paid_units numeric(38,0) NOT NULL,
  last_created timestamptz NOT NULL,
  last_updated timestamptz NOT NULL,
  first_created timestamptz NOT NULL,
  min_amount numeric(38,0) NOT NULL,
  max_amount numeric(38,0) NOT NULL,
  -- Earliest due date of the open invoices, which are neither settled nor archived; last_due is the latest.
  first_due timestamptz,
  last_due timestamptz,
  on_chain_units numeric(38,0) NOT NULL,
  off_platform_units numeric(38,0) NOT NULL,
  CONSTRAINT invoice_part_check CHECK (app.invoice_cell(status, invoice_type, exchange) IS NOT NULL),
  CONSTRAINT invoice_part_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id),
  CONSTRAINT invoice_part_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT invoice_part_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE,
  CONSTRAINT invoice_part_trader_id_is_archived_provider_id_community_id_key
    UNIQUE NULLS NOT DISTINCT (trader_id, is_archived, provider_id, community_id, exchange, invoice_type, status)
    INCLUDE (reference, invoices, amount_units, last_created, last_updated)
);

CREATE INDEX invoice_part_by_community ON invoice_part (community_id);
CREATE INDEX invoice_part_by_created ON invoice_part (last_created);
CREATE INDEX invoice_part_by_provider ON invoice_part (provider_id, trader_id);
CREATE INDEX invoice_part_by_updated ON invoice_part (last_updated);
CREATE INDEX invoice_part_owing ON invoice_part (trader_id) WHERE status = 'pending' AND NOT is_archived;
CREATE INDEX invoice_part_without_reference ON invoice_part (trader_id)
  INCLUDE (provider_id, is_archived, reference, invoice_type, status, invoices, part_paid, overpaid, amount_units,
  paid_units, on_chain_units, off_platform_units, last_created, last_updated) WHERE reference IS NULL;

ALTER TABLE invoice_part ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_part FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_part_scope ON invoice_part FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
