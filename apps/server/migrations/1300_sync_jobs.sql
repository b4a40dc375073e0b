-- What a vendor's event says to read again is a job of the queue, sent in the transaction of its webhook. The tables of
-- events stay for one version: an API of the version before still writes them while an upgrade runs.

-- The API orders no other work: these two queues, and a subject without content of its own. One waiting job of a subject
-- is enough, because every read sees the whole of it; of several times the latest stays, whatever order they commit in.
-- The columns are those of pg-boss, which is pinned to its exact version.
CREATE FUNCTION app.request_sync(queue text, kind text, subject text, since timestamptz) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
  IF queue IS NULL OR queue NOT IN ('stripe-sync', 'clerk-sync')
    OR kind IS NULL OR kind !~ '^[a-z_]{1,30}$' OR subject IS NULL OR length(subject) NOT BETWEEN 1 AND 255 THEN
    RAISE EXCEPTION 'no such work can be ordered' USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO pgboss.job_common AS waiting (name, singleton_key, data, policy, retry_limit, retry_delay, retry_backoff,
    retry_delay_max, expire_seconds, heartbeat_seconds, deletion_seconds, keep_until, dead_letter)
  SELECT q.name, kind || ':' || subject,
    jsonb_strip_nulls(jsonb_build_object('kind', kind, 'id', subject, 'since', since)),
    q.policy, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.expire_seconds, q.heartbeat_seconds,
    q.deletion_seconds, now() + q.retention_seconds * interval '1 second', q.dead_letter
  FROM pgboss.queue q WHERE q.name = queue
  ON CONFLICT (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'
  DO UPDATE SET data = excluded.data
    WHERE (waiting.data ->> 'since')::timestamptz < (excluded.data ->> 'since')::timestamptz;
  IF NOT EXISTS (SELECT FROM pgboss.queue q WHERE q.name = queue) THEN
    RAISE EXCEPTION 'the queue % is missing: npm run migrate makes it', queue;
  END IF;
  PERFORM pg_notify('copydesk_work', queue);
END
$$;
COMMENT ON FUNCTION app.request_sync(text, text, text, timestamptz) IS
  'Has a worker read a subject at Stripe or Clerk again once this transaction has committed.';
GRANT EXECUTE ON FUNCTION app.request_sync(text, text, text, timestamptz) TO copydesk_app;

-- An API of the version before: what it stores is a job as well. Without its queue the row waits for
-- app.take_over_events. These triggers go with the tables.
CREATE FUNCTION app.billing_event_stored() RETURNS trigger
  LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM pgboss.queue q WHERE q.name = 'stripe-sync') THEN
    PERFORM app.request_sync('stripe-sync', NEW.subject_kind, NEW.subject_id, NULL);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER billing_event_stored AFTER INSERT ON billing_event
  FOR EACH ROW WHEN (NEW.state = 'waiting') EXECUTE FUNCTION app.billing_event_stored();

-- An ended session is the event itself: nothing has to be read.
CREATE FUNCTION identity.hosted_event_stored() RETURNS trigger
  LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
BEGIN
  IF NEW.subject_kind = 'session' THEN
    INSERT INTO identity.hosted_session AS s (id, hosted_id, first_seen_at, ended_at)
    VALUES (NEW.subject_id, NEW.hosted_id, now(), now())
    ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at WHERE s.ended_at IS NULL;
  ELSIF EXISTS (SELECT FROM pgboss.queue q WHERE q.name = 'clerk-sync') THEN
    PERFORM app.request_sync('clerk-sync', NEW.subject_kind, NEW.subject_id,
      CASE WHEN NEW.subject_kind = 'ended_sessions' THEN NEW.happened_at END);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER hosted_event_stored AFTER INSERT ON identity.hosted_event
  FOR EACH ROW WHEN (NEW.state = 'waiting') EXECUTE FUNCTION identity.hosted_event_stored();

-- A worker takes over what waits in the tables, when it starts: a worker of the version before no longer finds it.
CREATE FUNCTION app.take_over_events() RETURNS bigint
  LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
DECLARE
  taken bigint;
BEGIN
  WITH billing AS (
    UPDATE billing_event SET state = 'handled', handled_at = now() WHERE state = 'waiting'
    RETURNING 'stripe-sync' AS queue, subject_kind, subject_id, NULL::timestamptz AS since
  ), hosted AS (
    UPDATE identity.hosted_event SET state = 'handled', handled_at = now() WHERE state = 'waiting'
    RETURNING 'clerk-sync' AS queue, subject_kind, subject_id, hosted_id,
      CASE WHEN subject_kind = 'ended_sessions' THEN happened_at END AS since
  ), ended AS (
    INSERT INTO identity.hosted_session AS s (id, hosted_id, first_seen_at, ended_at)
    SELECT DISTINCT ON (subject_id) subject_id, hosted_id, now(), now() FROM hosted WHERE subject_kind = 'session'
    ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at WHERE s.ended_at IS NULL
  ), subjects AS (
    SELECT queue, subject_kind, subject_id, since FROM billing
    UNION ALL
    SELECT queue, subject_kind, subject_id, since FROM hosted WHERE subject_kind <> 'session'
  )
  SELECT count(app.request_sync(queue, subject_kind, subject_id, latest)::text) INTO taken
  FROM (SELECT queue, subject_kind, subject_id, max(since) AS latest FROM subjects GROUP BY 1, 2, 3) one;
  RETURN taken;
END
$$;
COMMENT ON FUNCTION app.take_over_events() IS
  'Turns the events that an API of the version before stored into jobs. Goes with their tables.';
GRANT EXECUTE ON FUNCTION app.take_over_events() TO copydesk_worker;

COMMENT ON TABLE billing_event IS
  'Events that an API of the version before stored. A job of the queue stripe-sync has taken their place; a later version drops the table.';
COMMENT ON TABLE identity.hosted_event IS
  'Events that an API of the version before stored. A job of the queue clerk-sync has taken their place; a later version drops the table.';
