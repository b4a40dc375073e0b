-- What changed, for consoles that listen. A reader that comes back with the position it had reached is given
-- every event whose transaction was not finished then, so an event that commits late is never passed over.

CREATE TABLE change_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT now(),
  topic text NOT NULL CHECK (topic IN ('trader', 'community', 'provider')),
  entity_id uuid NOT NULL,
  -- The providers whose staff may hear of it; super admins hear of everything.
  provider_ids uuid[] NOT NULL
);
CREATE INDEX change_event_by_xid ON change_event (xid, id);
CREATE INDEX change_event_by_time ON change_event (at);

ALTER TABLE change_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE change_event FORCE ROW LEVEL SECURITY;
CREATE POLICY change_event_scope ON change_event
  USING ((SELECT app.sees_all()) OR provider_ids && (SELECT app.provider_ids())::uuid[]);
REVOKE INSERT, UPDATE ON change_event FROM copydesk_app;

CREATE FUNCTION app.announce_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('copydesk_change', '');
  RETURN NULL;
END
$$;
CREATE TRIGGER change_event_announced AFTER INSERT ON change_event
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_changes();

-- Recomputes, for these traders, the sums over their accounts and the providers that see them, and records the
-- change for those who saw them before or see them now. Locking the traders first makes concurrent changes of
-- two accounts of one trader add up: the later one computes from what the earlier one committed. (NO KEY: each
-- holds the key of the trader already, through its foreign key; a stronger lock would be a deadlock.)
CREATE FUNCTION app.refresh_traders(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  SELECT jsonb_object_agg(s.trader_id, s.providers) INTO seen_before
  FROM (SELECT trader_id, jsonb_agg(provider_id) AS providers
        FROM trader_provider WHERE trader_id = ANY (trader_ids) GROUP BY trader_id) s;

  UPDATE trader t
  SET aum = s.aum, aum_read_at = s.read_at, account_count = s.accounts
  FROM (SELECT w.id, sum(a.equity) AS aum, min(a.equity_read_at) AS read_at, count(a.id)::int AS accounts
        FROM unnest(trader_ids) w (id) LEFT JOIN exchange_account a ON a.trader_id = w.id GROUP BY w.id) s
  WHERE t.id = s.id
    AND (t.aum, t.aum_read_at, t.account_count) IS DISTINCT FROM (s.aum, s.read_at, s.accounts);

  DELETE FROM trader_provider tp
  USING trader t
  WHERE tp.trader_id = ANY (trader_ids) AND t.id = tp.trader_id
    AND t.selected_provider_id IS DISTINCT FROM tp.provider_id
    AND NOT EXISTS (SELECT FROM exchange_account a
                    WHERE a.trader_id = tp.trader_id AND a.provider_id = tp.provider_id);

  INSERT INTO trader_provider AS tp (trader_id, provider_id, account_count, aum, aum_read_at, tab, is_shared)
  SELECT t.id, p.provider_id, count(a.id), sum(a.equity), min(a.equity_read_at),
         CASE WHEN t.status <> 'pending' THEN t.status WHEN count(a.id) > 0 THEN 'inbox' END,
         count(*) OVER (PARTITION BY t.id) > 1
  FROM trader t
  CROSS JOIN LATERAL (
    SELECT t.selected_provider_id AS provider_id WHERE t.selected_provider_id IS NOT NULL
    UNION SELECT ea.provider_id FROM exchange_account ea WHERE ea.trader_id = t.id) p
  LEFT JOIN exchange_account a ON a.trader_id = t.id AND a.provider_id = p.provider_id
  WHERE t.id = ANY (trader_ids)
  GROUP BY t.id, p.provider_id
  ON CONFLICT (trader_id, provider_id) DO UPDATE
  SET account_count = excluded.account_count, aum = excluded.aum,
      aum_read_at = excluded.aum_read_at, tab = excluded.tab, is_shared = excluded.is_shared
  WHERE (tp.account_count, tp.aum, tp.aum_read_at, tp.tab, tp.is_shared) IS DISTINCT FROM
    (excluded.account_count, excluded.aum, excluded.aum_read_at, excluded.tab, excluded.is_shared);

  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'trader', w.id, ARRAY(
    SELECT provider_id FROM trader_provider WHERE trader_id = w.id
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(trader_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

CREATE FUNCTION app.trader_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT app.bulk_loading() THEN
    PERFORM app.refresh_traders(ARRAY[NEW.id]);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER trader_written AFTER INSERT OR UPDATE OF
    status, community_id, selected_provider_id, reference_number, name, email, telegram_username,
    telegram_user_id, language, external_wallet_address, referral_code, referred_by_trader_id
  ON trader FOR EACH ROW EXECUTE FUNCTION app.trader_written();

CREATE FUNCTION app.trader_removed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids)
  VALUES ('trader', OLD.id, ARRAY(SELECT provider_id FROM trader_provider WHERE trader_id = OLD.id));
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN OLD;
END
$$;
CREATE TRIGGER trader_removed BEFORE DELETE ON trader FOR EACH ROW EXECUTE FUNCTION app.trader_removed();

-- A transition table belongs to one kind of change, hence a trigger for each.
CREATE FUNCTION app.accounts_written() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM new_accounts;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM old_accounts;
  ELSE
    SELECT array_agg(DISTINCT trader_id) INTO touched
    FROM (SELECT trader_id FROM new_accounts UNION SELECT trader_id FROM old_accounts) both_sides;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_traders(touched);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER accounts_inserted AFTER INSERT ON exchange_account
  REFERENCING NEW TABLE AS new_accounts FOR EACH STATEMENT EXECUTE FUNCTION app.accounts_written();
CREATE TRIGGER accounts_updated AFTER UPDATE ON exchange_account
  REFERENCING OLD TABLE AS old_accounts NEW TABLE AS new_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.accounts_written();
CREATE TRIGGER accounts_deleted AFTER DELETE ON exchange_account
  REFERENCING OLD TABLE AS old_accounts FOR EACH STATEMENT EXECUTE FUNCTION app.accounts_written();

-- Communities and providers: every provider linked to them may hear of it.
CREATE FUNCTION app.directory_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  changed uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.id ELSE NEW.id END;
BEGIN
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids)
    VALUES (TG_TABLE_NAME, changed, CASE TG_TABLE_NAME
      WHEN 'provider' THEN ARRAY[changed]
      ELSE ARRAY(SELECT provider_id FROM community_provider WHERE community_id = changed) END);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$$;
CREATE TRIGGER provider_written AFTER INSERT OR UPDATE ON provider
  FOR EACH ROW EXECUTE FUNCTION app.directory_written();
CREATE TRIGGER community_written AFTER INSERT OR UPDATE ON community
  FOR EACH ROW EXECUTE FUNCTION app.directory_written();
CREATE TRIGGER community_removed BEFORE DELETE ON community
  FOR EACH ROW EXECUTE FUNCTION app.directory_written();
