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

CREATE OR REPLACE FUNCTION app.announce_changes() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.wake('copydesk_change', '');
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION app.announce_reading_request() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.wake('copydesk_reading', NEW.exchange);
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION app.announce_work() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.wake('copydesk_work', TG_TABLE_NAME);
  RETURN NULL;
END
$$;
