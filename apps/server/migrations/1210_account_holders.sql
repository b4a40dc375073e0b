-- What closed at an account of an exchange belongs to whoever held the account at that time, once. Uniqueness by our own
-- rows is not enough: an account that moves to another provider or trader, and back, is another row each time.

-- For a constraint that compares accounts for equality and times for overlap.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE TABLE account_holder (
  exchange text NOT NULL REFERENCES exchange (id),
  acc_uid text NOT NULL,
  held_from timestamptz NOT NULL,
  held_until timestamptz,
  account_id uuid REFERENCES exchange_account (id) ON DELETE CASCADE,
  pooled_account_id uuid REFERENCES pooled_account (id) ON DELETE CASCADE,
  CONSTRAINT account_holder_one CHECK (num_nonnulls(account_id, pooled_account_id) = 1),
  CONSTRAINT account_holder_time CHECK (held_until > held_from),
  CONSTRAINT account_holder_alone
    EXCLUDE USING gist (exchange WITH =, acc_uid WITH =, tstzrange(held_from, held_until) WITH &&)
);
COMMENT ON TABLE account_holder IS
  'Which account of a trader, or which pool, held an account of an exchange, and when. Kept by triggers.';
CREATE INDEX account_holder_by_account ON account_holder (account_id, held_from);
CREATE INDEX account_holder_by_pool ON account_holder (pooled_account_id);
ALTER TABLE account_holder ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY account_holder_scope ON account_holder FOR ALL USING ((SELECT app.sees_all()));
-- compatible: the table is new
REVOKE INSERT, UPDATE, DELETE ON account_holder FROM copydesk_app;

-- Clocks differ: an account that is connected elsewhere is held from its end at the former holder.
CREATE FUNCTION app.hold_account(venue text, uid text, since timestamptz, account uuid, pool uuid) RETURNS void
  LANGUAGE sql
  SET search_path = public, pg_temp AS $$
  INSERT INTO account_holder (exchange, acc_uid, held_from, account_id, pooled_account_id)
  SELECT venue, uid, greatest(since, max(h.held_until)), account, pool
  FROM account_holder h WHERE h.exchange = venue AND h.acc_uid = uid
$$;

CREATE FUNCTION app.account_connected() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.removed_at IS NOT NULL AND OLD.removed_at IS NULL THEN
    UPDATE account_holder SET held_until = NEW.removed_at
    WHERE account_id = NEW.id AND held_until IS NULL AND held_from < NEW.removed_at;
    DELETE FROM account_holder WHERE account_id = NEW.id AND held_until IS NULL;
  ELSIF TG_OP = 'UPDATE' AND NEW.removed_at IS NULL AND OLD.removed_at IS NOT NULL THEN
    -- The same connection goes on: the time in between is its own, unless somebody else held the account then.
    PERFORM app.hold_account(NEW.exchange, NEW.acc_uid,
      CASE WHEN NEW.connected_at = OLD.connected_at THEN OLD.removed_at ELSE NEW.connected_at END, NEW.id, NULL);
  ELSIF TG_OP = 'UPDATE' THEN
    UPDATE account_holder SET held_from = NEW.connected_at WHERE account_id = NEW.id AND held_until IS NULL;
  ELSIF NEW.removed_at IS NULL THEN
    PERFORM app.hold_account(NEW.exchange, NEW.acc_uid, NEW.connected_at, NEW.id, NULL);
  ELSIF NEW.removed_at > NEW.connected_at THEN
    INSERT INTO account_holder (exchange, acc_uid, held_from, held_until, account_id)
    VALUES (NEW.exchange, NEW.acc_uid, NEW.connected_at, NEW.removed_at, NEW.id);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER account_held_first AFTER INSERT ON exchange_account FOR EACH ROW EXECUTE FUNCTION app.account_connected();
CREATE TRIGGER account_held AFTER UPDATE OF removed_at, connected_at ON exchange_account FOR EACH ROW
  WHEN (OLD.removed_at IS DISTINCT FROM NEW.removed_at OR OLD.connected_at <> NEW.connected_at)
  EXECUTE FUNCTION app.account_connected();

CREATE FUNCTION app.pool_account_known() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE account_holder SET held_until = now()
  WHERE pooled_account_id = NEW.id AND held_until IS NULL AND held_from < now();
  DELETE FROM account_holder WHERE pooled_account_id = NEW.id AND held_until IS NULL;
  IF NEW.bybit_uid IS NOT NULL THEN
    PERFORM app.hold_account('bybit', NEW.bybit_uid, NEW.created_at, NULL, NEW.id);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER pool_account_held_first AFTER INSERT ON pooled_account FOR EACH ROW WHEN (NEW.bybit_uid IS NOT NULL)
  EXECUTE FUNCTION app.pool_account_known();
CREATE TRIGGER pool_account_held AFTER UPDATE OF bybit_uid ON pooled_account FOR EACH ROW
  WHEN (OLD.bybit_uid IS DISTINCT FROM NEW.bybit_uid) EXECUTE FUNCTION app.pool_account_known();

-- Of several that held an account at a time, as far as is known, the one that was connected last.
CREATE FUNCTION pg_temp.holder_times(venue text, uid text)
  RETURNS TABLE (account_id uuid, pooled_account_id uuid, held tstzrange) LANGUAGE sql AS $$
  WITH claim AS (
    SELECT a.id AS account_id, NULL::uuid AS pool_id, a.connected_at AS since, tstzrange(a.connected_at, a.removed_at) AS held
    FROM exchange_account a
    WHERE a.exchange = venue AND a.acc_uid = uid AND (a.removed_at IS NULL OR a.removed_at > a.connected_at)
    UNION ALL
    SELECT NULL, p.id, p.created_at, tstzrange(p.created_at, NULL)
    FROM pooled_account p WHERE venue = 'bybit' AND p.bybit_uid = uid)
  SELECT c.account_id, c.pool_id, unnest(tstzmultirange(c.held) - coalesce((
    SELECT range_agg(o.held) FROM claim o
    WHERE (o.since, coalesce(o.account_id, o.pool_id)) > (c.since, coalesce(c.account_id, c.pool_id))), '{}'))
  FROM claim c
$$;
INSERT INTO account_holder (exchange, acc_uid, held_from, held_until, account_id, pooled_account_id)
SELECT v.exchange, v.acc_uid, lower(h.held), upper(h.held), h.account_id, h.pooled_account_id
FROM (SELECT exchange, acc_uid FROM exchange_account
      UNION SELECT 'bybit', bybit_uid FROM pooled_account WHERE bybit_uid IS NOT NULL) v
CROSS JOIN LATERAL pg_temp.holder_times(v.exchange, v.acc_uid) h;

-- A close is known by its exchange, its account there, and its id there.
-- The names are others than those of accounts: the version before joins both.
ALTER TABLE closed_position ADD COLUMN venue text, ADD COLUMN venue_account text,
  ADD COLUMN double_of uuid REFERENCES closed_position (id),
  ADD COLUMN corrected_pnl numeric, ADD COLUMN corrected_at timestamptz,
  ADD CONSTRAINT closed_position_corrected CHECK ((corrected_pnl IS NULL) = (corrected_at IS NULL)) NOT VALID,
  ADD CONSTRAINT closed_position_venue CHECK (venue IS NOT NULL AND venue_account IS NOT NULL) NOT VALID;
COMMENT ON COLUMN closed_position.venue IS 'The exchange; with venue_account, the account there, and venue_id, the close there.';
COMMENT ON COLUMN closed_position.double_of IS
  'The same close under an account that held the exchange account before: it is not invoiced, and listed where it was.';
COMMENT ON COLUMN closed_position.corrected_pnl IS
  'Profit as the exchange reports it since it was invoiced; closed_pnl is what was invoiced.';
CREATE FUNCTION app.name_close() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  SELECT a.exchange, a.acc_uid INTO NEW.venue, NEW.venue_account FROM exchange_account a WHERE a.id = NEW.account_id;
  RETURN NEW;
END
$$;
CREATE TRIGGER close_named BEFORE INSERT ON closed_position FOR EACH ROW WHEN (NEW.venue IS NULL)
  EXECUTE FUNCTION app.name_close();
