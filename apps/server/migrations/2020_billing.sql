-- Subscriptions of communities, as Stripe has them.

CREATE TABLE community_subscription (
  community_id uuid PRIMARY KEY REFERENCES community ON DELETE CASCADE,
  "interval" text NOT NULL CHECK ("interval" = ANY (ARRAY['monthly', 'yearly'])),
  current_period_end timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  subscription_id text UNIQUE CHECK (subscription_id <> ''),
  status text NOT NULL DEFAULT 'active'
    CHECK (status IN ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid', 'paused',
    'canceled')),
  cancel_at_period_end boolean NOT NULL DEFAULT false,
  trial_end timestamptz,
  unpaid_since timestamptz,
  ended_at timestamptz,
  payment_notice text CHECK (payment_notice IN ('refunded', 'disputed', 'dispute_lost')),
  has_duplicate boolean NOT NULL DEFAULT false,
  read_at timestamptz,
  read_number bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE community_subscription IS
  'What a community pays us for; written by the billing integration. No row: it never subscribed.';
COMMENT ON COLUMN community_subscription.subscription_id IS 'Its id at Stripe. NULL: entered before Stripe was used.';
COMMENT ON COLUMN community_subscription.status IS 'As Stripe calls it; what it allows is decided by billing/subscription.ts of the domain package.';
COMMENT ON COLUMN community_subscription.unpaid_since IS 'When the oldest unpaid invoice was issued. NULL: all are paid.';
COMMENT ON COLUMN community_subscription.payment_notice IS 'About the last payment.';
COMMENT ON COLUMN community_subscription.has_duplicate IS 'Stripe bills more than one subscription of this community.';
COMMENT ON COLUMN community_subscription.read_at IS 'When it was last read at Stripe.';
COMMENT ON COLUMN community_subscription.read_number IS
  'The number of that read. Reads are numbered when they begin: one that began earlier never replaces a later one.';
-- The reminders walk those whose end may be near.
CREATE INDEX community_subscription_ending ON community_subscription (status) WHERE status <> 'active';

ALTER TABLE community_subscription ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_subscription FORCE ROW LEVEL SECURITY;
CREATE POLICY community_subscription_scope ON community_subscription
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM community_provider cp WHERE cp.community_id = community_subscription.community_id
      AND cp.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

-- Screens that show the community read its subscription again.
CREATE FUNCTION app.subscription_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids)
    VALUES ('community', NEW.community_id,
      ARRAY(SELECT provider_id FROM community_provider WHERE community_id = NEW.community_id));
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER subscription_written AFTER INSERT OR UPDATE ON community_subscription FOR EACH ROW
  EXECUTE FUNCTION app.subscription_written();

CREATE SEQUENCE billing_read_number AS bigint;

CREATE TABLE billing_customer (
  community_id uuid PRIMARY KEY REFERENCES community ON DELETE CASCADE,
  customer_id text NOT NULL UNIQUE CHECK (customer_id <> ''),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE billing_customer IS 'The customer at Stripe of each community that began to subscribe. It never changes.';

ALTER TABLE billing_customer ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_customer FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_customer_scope ON billing_customer FOR ALL
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM community_provider cp
    WHERE cp.community_id = billing_customer.community_id AND cp.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

-- Tables are open by default: a customer never changes, and an event keeps what arrived.
REVOKE UPDATE, DELETE ON billing_customer FROM copydesk_app;

CREATE TABLE billing_event (
  id text PRIMARY KEY CHECK (id <> ''),
  type text NOT NULL CHECK (type <> ''),
  subject_kind text CHECK (subject_kind IN ('customer', 'charge')),
  subject_id text CHECK (subject_id <> ''),
  state text NOT NULL CHECK (state IN ('waiting', 'handled', 'ignored', 'failed')),
  happened_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  handled_at timestamptz,
  problem text CHECK (problem <> ''),
  CONSTRAINT billing_event_subject CHECK ((subject_kind IS NULL) = (subject_id IS NULL)),
  CONSTRAINT billing_event_waiting CHECK (state <> 'waiting' OR subject_id IS NOT NULL)
);
COMMENT ON TABLE billing_event IS
  'Events that an API of the version before stored. A job of the queue stripe-sync has taken their place; a later version drops the table.';
COMMENT ON COLUMN billing_event.subject_id IS 'Whose subscription to read again: a customer, or the customer of a charge.';
COMMENT ON COLUMN billing_event.state IS 'ignored: of a type that changes nothing here.';
COMMENT ON COLUMN billing_event.due_at IS 'The next attempt; while a worker reads, the end of its lease.';
COMMENT ON COLUMN billing_event.problem IS 'Why the last attempt failed: a code of ours.';
CREATE INDEX billing_event_due ON billing_event (due_at) WHERE state = 'waiting';
CREATE INDEX billing_event_waiting_by_subject ON billing_event (subject_id) WHERE state = 'waiting';
CREATE INDEX billing_event_done ON billing_event (received_at) WHERE state <> 'waiting';

ALTER TABLE billing_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_event FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_event_scope ON billing_event FOR ALL USING ((SELECT app.sees_all()));

CREATE TRIGGER billing_event_received AFTER INSERT ON billing_event FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();

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

-- Tables are open by default: a customer never changes, and an event keeps what arrived.
REVOKE UPDATE ON billing_event FROM copydesk_app;
GRANT UPDATE (state, attempts, due_at, handled_at, problem) ON billing_event TO copydesk_app;

CREATE TABLE billing_mail (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  community_id uuid NOT NULL REFERENCES community ON DELETE CASCADE,
  user_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('trial_ending', 'payment_failed', 'grace_ending', 'subscription_ended')),
  dedupe_key text NOT NULL,
  subject text NOT NULL CHECK (subject <> ''),
  body text NOT NULL CHECK (body <> ''),
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  CONSTRAINT billing_mail_once UNIQUE (dedupe_key, user_id),
  CONSTRAINT billing_mail_sent CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
COMMENT ON TABLE billing_mail IS 'E-mails about subscriptions, written once for each fact and person, and sent afterwards.';
COMMENT ON COLUMN billing_mail.user_id IS 'The person. The address is read when it is sent, and not stored here.';
COMMENT ON COLUMN billing_mail.due_at IS 'The next attempt; while a worker sends, the end of its lease.';
COMMENT ON COLUMN billing_mail.sent_at IS 'When it was handed over to the mails that wait to be sent.';
CREATE INDEX billing_mail_due ON billing_mail (due_at) WHERE state = 'queued';
CREATE INDEX billing_mail_by_community ON billing_mail (community_id, created_at);
CREATE INDEX billing_mail_failed ON billing_mail (created_at) WHERE state = 'failed';

ALTER TABLE billing_mail ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_mail FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_mail_scope ON billing_mail FOR ALL USING ((SELECT app.sees_all()));

CREATE TRIGGER billing_mail_queued AFTER INSERT ON billing_mail FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();

REVOKE UPDATE, DELETE ON billing_mail FROM copydesk_app;
GRANT UPDATE (state, attempts, due_at, sent_at) ON billing_mail TO copydesk_app;

CREATE TABLE billing_customer_intent (
  community_id uuid PRIMARY KEY REFERENCES community ON DELETE CASCADE,
  name text NOT NULL CHECK (name <> ''),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE billing_customer_intent IS
  'Communities whose customer at Stripe is being created. The row goes when the customer is stored; one that stays is finished by the daily comparison.';
COMMENT ON COLUMN billing_customer_intent.name IS 'Part of the key of the request at Stripe: repeated, it gives the same customer.';

ALTER TABLE billing_customer_intent ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_customer_intent FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_customer_intent_scope ON billing_customer_intent FOR ALL USING ((SELECT app.sees_all()));

REVOKE UPDATE ON billing_customer_intent FROM copydesk_app;

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
