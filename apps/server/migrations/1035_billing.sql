-- Subscriptions of communities through Stripe: what was read there, the customers, and the events that arrived.

ALTER TABLE community_subscription
  ADD COLUMN subscription_id text UNIQUE CHECK (subscription_id <> ''),
  ADD COLUMN status text NOT NULL DEFAULT 'active' CHECK (status IN
    ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled')),
  ADD COLUMN cancel_at_period_end boolean NOT NULL DEFAULT false,
  ADD COLUMN trial_end timestamptz,
  ADD COLUMN unpaid_since timestamptz,
  ADD COLUMN ended_at timestamptz,
  ADD COLUMN payment_notice text CHECK (payment_notice IN ('refunded', 'disputed', 'dispute_lost')),
  ADD COLUMN has_duplicate boolean NOT NULL DEFAULT false,
  ADD COLUMN read_at timestamptz,
  ADD COLUMN read_number bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN community_subscription.subscription_id IS 'Its id at Stripe. NULL: entered before Stripe was used.';
COMMENT ON COLUMN community_subscription.status IS 'As Stripe calls it; what it allows is decided by billing/subscription.ts of the domain package.';
COMMENT ON COLUMN community_subscription.unpaid_since IS 'When the oldest unpaid invoice was issued. NULL: all are paid.';
COMMENT ON COLUMN community_subscription.payment_notice IS 'About the last payment.';
COMMENT ON COLUMN community_subscription.has_duplicate IS 'Stripe bills more than one subscription of this community.';
COMMENT ON COLUMN community_subscription.read_at IS 'When it was last read at Stripe.';
COMMENT ON COLUMN community_subscription.read_number IS
  'The number of that read. Reads are numbered when they begin: one that began earlier never replaces a later one.';

CREATE SEQUENCE billing_read_number AS bigint;
GRANT USAGE ON SEQUENCE billing_read_number TO copydesk_app;

-- The reminders walk those whose end may be near.
CREATE INDEX community_subscription_ending ON community_subscription (status) WHERE status <> 'active';

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

CREATE TABLE billing_customer (
  community_id uuid PRIMARY KEY REFERENCES community ON DELETE CASCADE,
  customer_id text NOT NULL UNIQUE CHECK (customer_id <> ''),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE billing_customer IS 'The customer at Stripe of each community that began to subscribe. It never changes.';

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
  'Events that Stripe sent, each once. They only say what to read again: their own content is not stored.';
COMMENT ON COLUMN billing_event.subject_id IS 'Whose subscription to read again: a customer, or the customer of a charge.';
COMMENT ON COLUMN billing_event.state IS 'ignored: of a type that changes nothing here.';
COMMENT ON COLUMN billing_event.due_at IS 'The next attempt; while a worker reads, the end of its lease.';
COMMENT ON COLUMN billing_event.problem IS 'Why the last attempt failed: a code of ours.';
CREATE INDEX billing_event_due ON billing_event (due_at) WHERE state = 'waiting';
CREATE INDEX billing_event_waiting_by_subject ON billing_event (subject_id) WHERE state = 'waiting';
CREATE INDEX billing_event_done ON billing_event (received_at) WHERE state <> 'waiting';
CREATE TRIGGER billing_event_received AFTER INSERT ON billing_event FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();

ALTER TABLE billing_customer ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_customer FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_customer_scope ON billing_customer FOR ALL
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM community_provider cp
    WHERE cp.community_id = billing_customer.community_id AND cp.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));
ALTER TABLE billing_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_event FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_event_scope ON billing_event FOR ALL USING ((SELECT app.sees_all()));

-- Tables are open by default: a customer never changes, and an event keeps what arrived.
REVOKE ALL ON billing_customer, billing_event FROM copydesk_app;
GRANT SELECT, INSERT ON billing_customer TO copydesk_app;
GRANT SELECT, INSERT, DELETE ON billing_event TO copydesk_app;
GRANT UPDATE (state, attempts, due_at, handled_at, problem) ON billing_event TO copydesk_app;
