-- What the payout history is read from: each payout as somebody sees it, and sums of these by day and month.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

-- What of a payout belongs to one provider, or the whole of it: staff see of a payout that mixes providers their
-- own part, and an index serves each order of that. Kept by triggers.
CREATE TABLE payout_provider (
  -- A payout is never deleted: it is what happened.
  payout_id uuid NOT NULL REFERENCES payout ON DELETE RESTRICT,
  -- NULL for the whole, which only who sees everything may see.
  provider_id uuid REFERENCES provider,
  -- All that have a part, in order: staff of several of them count the payout with the first.
  provider_ids uuid[] NOT NULL,
  community_id uuid NOT NULL REFERENCES community,
  recipient_type text NOT NULL,
  status text NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (payout_id, provider_id) INCLUDE (amount_units)
);
-- Whose comes first in each index: row-level security asks for it. What filters ask for comes along.
CREATE INDEX payout_provider_by_created ON payout_provider (provider_id, created_at, payout_id)
  INCLUDE (community_id, recipient_type, status);
CREATE INDEX payout_provider_by_amount ON payout_provider (provider_id, amount_units, payout_id)
  INCLUDE (community_id, recipient_type, status, created_at);
CREATE INDEX payout_provider_by_status ON payout_provider (provider_id, status, created_at, payout_id)
  INCLUDE (community_id, recipient_type);
CREATE INDEX payout_provider_by_community ON payout_provider (provider_id, community_id, created_at, payout_id)
  INCLUDE (recipient_type, status);
CREATE INDEX payout_provider_by_type ON payout_provider (provider_id, recipient_type, created_at, payout_id)
  INCLUDE (community_id, status);

-- Searched from the beginning, and compared as bytes: that is what an index can be asked under row-level security.
CREATE INDEX payout_by_recipient ON payout (lower(recipient_address) COLLATE "C");
CREATE INDEX payout_by_consolidation ON payout (consolidate_transaction_hash COLLATE "C");
CREATE INDEX payout_by_distribution ON payout (distribute_transaction_hash COLLATE "C");

-- Sums of the shares by all that has few values: of each day (UTC), and of each month. A filter adds up some thousand
-- rows and never the payouts. Kept by triggers.
CREATE TABLE payout_sum (
  grain text NOT NULL CHECK (grain IN ('day', 'month')),
  -- The first day of it.
  period date NOT NULL,
  provider_id uuid REFERENCES provider,
  provider_ids uuid[] NOT NULL,
  community_id uuid NOT NULL REFERENCES community,
  recipient_type text NOT NULL,
  status text NOT NULL,
  payouts integer NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  first_created timestamptz NOT NULL,
  last_created timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (community_id, recipient_type, grain, period, provider_id, provider_ids, status)
);
CREATE INDEX payout_sum_by_period ON payout_sum (provider_id, grain, period)
  INCLUDE (provider_ids, community_id, recipient_type, status, payouts, amount_units, first_created, last_created);

DO $$
DECLARE
  scoped text;
BEGIN
  FOREACH scoped IN ARRAY ARRAY['payout_provider', 'payout_sum'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', scoped);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', scoped);
    EXECUTE format($policy$CREATE POLICY %I ON %I
      USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))$policy$,
      scoped || '_scope', scoped);
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON %I FROM copydesk_app', scoped);
  END LOOP;
END
$$;

ALTER TABLE change_event DROP CONSTRAINT change_event_topic_check;
ALTER TABLE change_event ADD CONSTRAINT change_event_topic_check
  CHECK (topic IN ('trader', 'community', 'provider', 'payout'));

-- Shares and sums of these payouts anew: adding up again cannot drift, and a community has few payouts of a kind in
-- a day. Locking the communities first makes concurrent changes of two payouts add up: the later one computes from what
-- the earlier one committed. (NO KEY: each holds the key of its community already, through its foreign key.)
CREATE FUNCTION app.refresh_payouts(payout_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  cells jsonb;
BEGIN
  PERFORM FROM community WHERE id IN (SELECT community_id FROM payout WHERE id = ANY (payout_ids)
    UNION SELECT community_id FROM payout_provider WHERE payout_id = ANY (payout_ids)) ORDER BY id FOR NO KEY UPDATE;

  -- Where they were counted before and where they are counted from now on.
  SELECT coalesce(jsonb_agg(jsonb_build_object('community_id', c.community_id, 'recipient_type', c.recipient_type,
    'day', c.day)), '[]') INTO cells
  FROM (
    SELECT community_id, recipient_type, app.utc_day(created_at) AS day FROM payout_provider
    WHERE payout_id = ANY (payout_ids)
    UNION SELECT community_id, recipient_type, app.utc_day(created_at) FROM payout
    WHERE id = ANY (payout_ids)) c;

  DELETE FROM payout_provider WHERE payout_id = ANY (payout_ids);
  INSERT INTO payout_provider (payout_id, provider_id, provider_ids, community_id, recipient_type, status, amount_units,
    created_at)
  SELECT o.id, part.provider_id, CASE WHEN part.provider_id IS NULL THEN '{}' ELSE part.provider_ids END,
    o.community_id, o.recipient_type, o.status, part.units, o.created_at
  FROM payout o
  CROSS JOIN LATERAL (
    SELECT NULL::uuid AS provider_id, NULL::uuid[] AS provider_ids, o.amount_units AS units
    UNION ALL
    SELECT y.provider_id, array_agg(y.provider_id) OVER (ORDER BY y.provider_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), sum(y.amount_units)
    FROM payable y WHERE y.payout_id = o.id AND y.provider_id IS NOT NULL GROUP BY y.provider_id) part
  WHERE o.id = ANY (payout_ids);

  DELETE FROM payout_sum s
  USING jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type AND s.grain = 'day' AND s.period = c.day;
  INSERT INTO payout_sum (grain, period, provider_id, provider_ids, community_id, recipient_type, status, payouts,
    amount_units, first_created, last_created)
  SELECT 'day', c.day, s.provider_id, s.provider_ids, s.community_id, s.recipient_type, s.status, count(*)::int,
    sum(s.amount_units), min(s.created_at), max(s.created_at)
  FROM jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  JOIN payout_provider s ON s.community_id = c.community_id AND s.recipient_type = c.recipient_type
    AND s.created_at >= c.day::timestamp AT TIME ZONE 'UTC' AND s.created_at < (c.day + 1)::timestamp AT TIME ZONE 'UTC'
  GROUP BY c.day, s.provider_id, s.provider_ids, s.community_id, s.recipient_type, s.status;

  DELETE FROM payout_sum s
  USING jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type AND s.grain = 'month'
    AND s.period = date_trunc('month', c.day)::date;
  INSERT INTO payout_sum (grain, period, provider_id, provider_ids, community_id, recipient_type, status, payouts,
    amount_units, first_created, last_created)
  SELECT 'month', m.month, s.provider_id, s.provider_ids, s.community_id, s.recipient_type, s.status,
    sum(s.payouts)::int, sum(s.amount_units), min(s.first_created), max(s.last_created)
  FROM (SELECT DISTINCT c.community_id, c.recipient_type, date_trunc('month', c.day)::date AS month
        FROM jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)) m
  JOIN payout_sum s ON s.community_id = m.community_id AND s.recipient_type = m.recipient_type AND s.grain = 'day'
    AND s.period >= m.month AND s.period < (m.month + interval '1 month')::date
  GROUP BY m.month, s.provider_id, s.provider_ids, s.community_id, s.recipient_type, s.status;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- Shares and sums follow, and who sees a part of the payout, or saw one before, hears of it.
CREATE FUNCTION app.payouts_touched(payout_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  SELECT jsonb_object_agg(payout_id, providers) INTO seen_before
  FROM (SELECT payout_id, jsonb_agg(provider_id) AS providers FROM payout_provider
        WHERE payout_id = ANY (payout_ids) AND provider_id IS NOT NULL GROUP BY payout_id) s;
  PERFORM app.refresh_payouts(payout_ids);
  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'payout', w.id, ARRAY(
    SELECT provider_id FROM payout_provider WHERE payout_id = w.id AND provider_id IS NOT NULL
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(payout_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

CREATE FUNCTION app.payouts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(id) INTO touched FROM added;
  IF touched IS NOT NULL THEN
    PERFORM app.payouts_touched(touched);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER payouts_added AFTER INSERT ON payout
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payouts_written();
CREATE TRIGGER payouts_changed AFTER UPDATE ON payout
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payouts_written();

-- A payable that is put to a payout, or taken from it, changes whose the payout is.
CREATE FUNCTION app.payables_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM added WHERE payout_id IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM taken WHERE payout_id IS NOT NULL;
  ELSE
    SELECT array_agg(DISTINCT payout_id) INTO touched
    FROM (SELECT payout_id FROM added UNION SELECT payout_id FROM taken) both_sides
    WHERE payout_id IS NOT NULL;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.payouts_touched(touched);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER payables_added AFTER INSERT ON payable
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();
CREATE TRIGGER payables_changed AFTER UPDATE ON payable
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();
CREATE TRIGGER payables_taken AFTER DELETE ON payable
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();

SELECT app.refresh_payouts(ARRAY(SELECT id FROM payout));
