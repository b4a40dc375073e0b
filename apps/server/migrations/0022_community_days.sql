-- AUM and money in of communities by day. Added up from snapshots and payments it would be millions of rows for a
-- year of one community.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

CREATE TABLE community_day (
  community_id uuid NOT NULL REFERENCES community ON DELETE CASCADE,
  -- Whose part of it; NULL: of invoices whose provider is unknown.
  provider_id uuid REFERENCES provider,
  day date NOT NULL,
  -- Sum of the day's equity snapshots, USD, written by a job. NULL: none was taken.
  equity numeric(28, 8),
  -- What was received on invoices, kept by a trigger.
  received_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (received_units >= 0),
  UNIQUE NULLS NOT DISTINCT (community_id, day, provider_id)
);
ALTER TABLE community_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_day FORCE ROW LEVEL SECURITY;
CREATE POLICY community_day_scope ON community_day
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()));
REVOKE DELETE, TRUNCATE ON community_day FROM copydesk_app;

INSERT INTO community_day (community_id, provider_id, day, equity)
SELECT t.community_id, s.provider_id, s.day, sum(s.equity)
FROM equity_snapshot s JOIN trader t ON t.id = s.trader_id GROUP BY 1, 2, 3;

INSERT INTO community_day AS d (community_id, provider_id, day, received_units)
SELECT i.community_id, p.provider_id, app.utc_day(p.received_at), sum(p.amount_units)
FROM invoice_payment p JOIN invoice i ON i.id = p.invoice_id GROUP BY 1, 2, 3
ON CONFLICT (community_id, day, provider_id) DO UPDATE SET received_units = excluded.received_units;

-- Payments are written once and never changed, so what they add stays added.
CREATE FUNCTION app.payments_received() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  -- In one order, so that two payments of the same days do not wait for each other in a circle.
  INSERT INTO community_day AS d (community_id, provider_id, day, received_units)
  SELECT i.community_id, a.provider_id, app.utc_day(a.received_at), sum(a.amount_units)
  FROM added a JOIN invoice i ON i.id = a.invoice_id GROUP BY 1, 2, 3 ORDER BY 1, 3, 2
  ON CONFLICT (community_id, day, provider_id)
  DO UPDATE SET received_units = d.received_units + excluded.received_units;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER payments_received AFTER INSERT ON invoice_payment
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payments_received();
