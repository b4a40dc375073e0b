-- Changes for consoles that listen, what wakes processes, and answers of calls with an Idempotency-Key.

CREATE TABLE change_event (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT now(),
  topic text NOT NULL
    CHECK (topic IN ('trader', 'community', 'provider', 'payout', 'invoice', 'payment', 'pool', 'stop', 'export',
    'bulk_act', 'own_setting', 'attention')),
  entity_id uuid,
  provider_ids uuid[] NOT NULL,
  trader_id uuid,
  user_id text
);
COMMENT ON TABLE change_event IS
  'Changes, for consoles that listen. A reader that comes back with the position it had reached gets every event '
  'whose transaction was unfinished then, so no event that commits late is skipped.';
COMMENT ON COLUMN change_event.entity_id IS
  'The changed object. NULL: one statement changed many invoices, and the event stands for all of a trader.';
COMMENT ON COLUMN change_event.provider_ids IS
  'Providers whose staff receive the event; super admins receive every event.';
COMMENT ON COLUMN change_event.trader_id IS 'The trader of a changed invoice or payment.';
COMMENT ON COLUMN change_event.user_id IS 'The one person who receives the event. NULL: those in the scope.';
CREATE INDEX change_event_by_xid ON change_event (xid, id);
CREATE INDEX change_event_by_time ON change_event (at);

ALTER TABLE change_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE change_event FORCE ROW LEVEL SECURITY;
CREATE POLICY change_event_scope ON change_event
  USING ((SELECT app.sees_all()) OR provider_ids && ((SELECT app.provider_ids()))
    OR ('user:' || user_id) = ((SELECT app.caller())));

CREATE FUNCTION app.announce_changes() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.wake('copydesk_change', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER change_event_announced AFTER INSERT ON change_event
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_changes();

REVOKE INSERT, UPDATE ON change_event FROM copydesk_app;

CREATE TABLE idempotent_call (
  caller text NOT NULL CHECK (caller <> ''),
  route text NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
  request_hash bytea NOT NULL CHECK (length(request_hash) = 32),
  status smallint NOT NULL CHECK (status BETWEEN 200 AND 499),
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (caller, route, key)
);
COMMENT ON TABLE idempotent_call IS
  'Answers of calls with an Idempotency-Key. A row is written in the transaction of its effect, so a crash leaves '
  'no state in between. An advisory lock marks a call that is still running. An answer belongs to its caller, '
  'whatever the scope of the caller: the policy compares the caller, and the purge job sees all rows.';
CREATE INDEX idempotent_call_by_expiry ON idempotent_call (expires_at);

ALTER TABLE idempotent_call ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotent_call FORCE ROW LEVEL SECURITY;
CREATE POLICY idempotent_call_scope ON idempotent_call
  USING ((SELECT app.sees_all()) OR caller = (SELECT app.caller()));

REVOKE UPDATE ON idempotent_call FROM copydesk_app;

-- Pools and their cycles announce changes to the providers of their community.
CREATE FUNCTION app.pool_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  pool uuid := CASE TG_TABLE_NAME WHEN 'pooled_account' THEN NEW.id ELSE (to_jsonb(NEW) ->> 'pooled_account_id')::uuid END;
BEGIN
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids)
    SELECT 'pool', pool, coalesce(array_agg(p.provider_id) FILTER (WHERE p.provider_id IS NOT NULL), '{}')
    FROM pooled_account a LEFT JOIN community_provider p ON p.community_id = a.community_id WHERE a.id = pool;
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE FUNCTION app.announce_own() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  changed record := coalesce(NEW, OLD);
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids, user_id)
  VALUES (TG_TABLE_NAME, changed.id, '{}', changed.user_id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION app.announce_own() IS 'Announces a change of a row to the one person whom it belongs to.';

CREATE FUNCTION app.announce_own_setting() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, provider_ids, user_id)
  VALUES ('own_setting', '{}', (coalesce(NEW, OLD)).user_id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION app.announce_own_setting() IS
  'Announces to a person that its settings, columns or views changed: they are read again as a whole.';

-- Wake-ups leave the transactions of writers. NOTIFY takes one lock of the whole server, which a commit holds until a
-- standby has confirmed it: whatever wakes a listener would go one after the other. A session that says so is told what to
-- wake by a notice instead, and does it after its commit; all others notify as before, the version before among them.
CREATE FUNCTION app.wake(channel text, payload text) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('copydesk.wakes', true) = 'after' THEN
    RAISE NOTICE USING ERRCODE = 'CDW01', MESSAGE = channel || ' ' || payload;
  ELSE
    PERFORM pg_notify(channel, payload);
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION app.wake(text, text) TO copydesk_app;
