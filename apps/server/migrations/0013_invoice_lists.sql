-- What the invoice lists are read from: indexes that answer without the rows (an invoice carries its split and is
-- wide), and sums that the grouped view walks in its order instead of adding up all invoices.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

-- Each order of the list, both ways. The first two also carry what filters and sums look at: a range of time or
-- amount is added up from the index alone.
DROP INDEX invoice_by_created;
CREATE INDEX invoice_by_created ON invoice (created_at, id)
  INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units, paid_units,
    due_at, updated_at);
CREATE INDEX invoice_by_amount ON invoice (amount_units, id)
  INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, paid_units, due_at,
    created_at, updated_at);
CREATE INDEX invoice_by_updated ON invoice (updated_at, id) INCLUDE (provider_id, trader_id, is_archived);
CREATE INDEX invoice_by_status ON invoice (status, created_at, id) INCLUDE (provider_id, trader_id, is_archived);
-- What is open, by when it is due: overdue is a question of the hour and cannot be kept as a sum.
CREATE INDEX invoice_by_due ON invoice (due_at)
  INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units, paid_units,
    created_at, updated_at)
  WHERE status = 'pending' AND NOT is_archived;

-- Sums of the invoices of a trader by all that has few values, so that a filter by any of these adds up some rows a
-- trader and never the invoices. Kept by triggers.
CREATE TABLE invoice_part (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid REFERENCES provider,
  community_id uuid NOT NULL REFERENCES community,
  exchange text,
  invoice_type text NOT NULL,
  status text NOT NULL,
  is_archived boolean NOT NULL,
  -- The trader's reference number. NULL: it has none, and its invoices go with those of all who have none.
  reference text,
  invoices integer NOT NULL,
  part_paid integer NOT NULL,
  overpaid integer NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  paid_units numeric(38, 0) NOT NULL,
  last_created timestamptz NOT NULL,
  last_updated timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (trader_id, is_archived, provider_id, community_id, exchange, invoice_type, status)
);
CREATE INDEX invoice_part_by_provider ON invoice_part (provider_id, trader_id);
CREATE INDEX invoice_part_by_community ON invoice_part (community_id);
-- Carries what the group of those without a reference number is added up from.
CREATE INDEX invoice_part_unknown ON invoice_part (trader_id)
  INCLUDE (provider_id, is_archived, reference, status, invoices, part_paid, overpaid, amount_units, paid_units,
    last_created, last_updated)
  WHERE reference IS NULL;

-- A line of the grouped view as somebody sees it: of one provider, or of all of them (`is_whole`). An index serves
-- each order of each tab. Kept by triggers.
CREATE TABLE invoice_group (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  -- NULL for the whole, which only who sees everything may see.
  provider_id uuid REFERENCES provider,
  is_whole boolean NOT NULL GENERATED ALWAYS AS (provider_id IS NULL) STORED,
  is_archived boolean NOT NULL,
  reference text,
  tab text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN is_archived THEN 'archived' WHEN unpaid = 0 THEN 'paid' ELSE 'unpaid' END) STORED,
  invoices integer NOT NULL,
  unpaid integer NOT NULL,
  part_paid integer NOT NULL,
  overpaid integer NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  paid_units numeric(38, 0) NOT NULL,
  last_created timestamptz NOT NULL,
  last_updated timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (trader_id, is_archived, provider_id)
);
CREATE INDEX invoice_group_by_created ON invoice_group (tab, last_created, trader_id)
  WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_by_updated ON invoice_group (tab, last_updated, trader_id)
  WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_by_amount ON invoice_group (tab, amount_units, trader_id)
  WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_created ON invoice_group (provider_id, tab, last_created, trader_id)
  WHERE reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_updated ON invoice_group (provider_id, tab, last_updated, trader_id)
  WHERE reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_amount ON invoice_group (provider_id, tab, amount_units, trader_id)
  WHERE reference IS NOT NULL;

DO $$
DECLARE
  scoped text;
BEGIN
  FOREACH scoped IN ARRAY ARRAY['invoice_part', 'invoice_group'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', scoped);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', scoped);
    EXECUTE format($policy$CREATE POLICY %I ON %I
      USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))$policy$,
      scoped || '_scope', scoped);
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON %I FROM copydesk_app', scoped);
  END LOOP;
END
$$;

-- Adds the invoices of these traders up again. A trader has few, and adding up anew cannot drift. Locking the traders
-- first makes concurrent changes of two invoices of one trader add up: the later one computes from what the earlier
-- one committed. (NO KEY: each holds the key of the trader already, through its foreign key.)
CREATE FUNCTION app.refresh_invoice_sums(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM invoice_part WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_part (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived,
    reference, invoices, part_paid, overpaid, amount_units, paid_units, last_created, last_updated)
  SELECT i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived,
    -- A reference number that reads like the name of the group of those without one belongs to that group.
    nullif(min(t.reference_number), 'unknown'), count(*)::int,
    count(*) FILTER (WHERE i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units)::int,
    count(*) FILTER (WHERE i.paid_units > i.amount_units)::int,
    sum(i.amount_units), sum(i.paid_units), max(i.created_at), max(i.updated_at)
  FROM invoice i JOIN trader t ON t.id = i.trader_id
  WHERE i.trader_id = ANY (trader_ids)
  GROUP BY i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived;

  DELETE FROM invoice_group WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_group (trader_id, provider_id, is_archived, reference, invoices, unpaid, part_paid, overpaid,
    amount_units, paid_units, last_created, last_updated)
  SELECT p.trader_id, seen.provider_id, p.is_archived, min(p.reference), sum(p.invoices)::int,
    coalesce(sum(p.invoices) FILTER (WHERE p.status <> 'paid'), 0)::int, sum(p.part_paid)::int, sum(p.overpaid)::int,
    sum(p.amount_units), sum(p.paid_units), max(p.last_created), max(p.last_updated)
  FROM invoice_part p
  CROSS JOIN LATERAL (SELECT NULL::uuid AS provider_id
    UNION ALL SELECT p.provider_id WHERE p.provider_id IS NOT NULL) seen
  WHERE p.trader_id = ANY (trader_ids)
  GROUP BY p.trader_id, seen.provider_id, p.is_archived;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- The sums follow, and who may see the trader hears of it.
CREATE FUNCTION app.invoices_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text;
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM taken;
  ELSE
    SELECT array_agg(DISTINCT trader_id) INTO touched
    FROM (SELECT trader_id FROM added UNION SELECT trader_id FROM taken) both_sides;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_invoice_sums(touched);
    caller_scope := app.open_scope();
    INSERT INTO change_event (topic, entity_id, provider_ids)
    SELECT 'trader', w.id, ARRAY(SELECT provider_id FROM trader_provider WHERE trader_id = w.id)
    FROM unnest(touched) w (id);
    PERFORM set_config('copydesk.scope', caller_scope, true);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER invoices_added AFTER INSERT ON invoice
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();
CREATE TRIGGER invoices_changed AFTER UPDATE ON invoice
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();
CREATE TRIGGER invoices_taken AFTER DELETE ON invoice
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();

-- A trader that gets another reference number takes its invoices to another group.
CREATE FUNCTION app.reference_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE invoice_part SET reference = nullif(NEW.reference_number, 'unknown') WHERE trader_id = NEW.id;
  UPDATE invoice_group SET reference = nullif(NEW.reference_number, 'unknown') WHERE trader_id = NEW.id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER reference_written AFTER UPDATE OF reference_number ON trader
  FOR EACH ROW WHEN (OLD.reference_number IS DISTINCT FROM NEW.reference_number)
  EXECUTE FUNCTION app.reference_written();

SELECT app.refresh_invoice_sums(ARRAY(SELECT DISTINCT trader_id FROM invoice));
