-- Written by `npm run generate` from a migrated database. Do not edit.

-- Events that an API of the version before stored. A job of the queue stripe-sync has taken their place; a later
-- version drops the table.
CREATE TABLE billing_event (
  id text NOT NULL,
  type text NOT NULL,
  subject_kind text,
  -- Whose subscription to read again: a customer, or the customer of a charge.
  subject_id text,
  -- ignored: of a type that changes nothing here.
  state text NOT NULL,
  happened_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  -- The next attempt; while a worker reads, the end of its lease.
  due_at timestamptz NOT NULL DEFAULT now(),
  handled_at timestamptz,
  -- Why the last attempt failed: a code of ours.
  problem text,
  CONSTRAINT billing_event_id_check CHECK (id <> ''),
  CONSTRAINT billing_event_pkey PRIMARY KEY (id),
  CONSTRAINT billing_event_problem_check CHECK (problem <> ''),
  CONSTRAINT billing_event_state_check CHECK (state = ANY (ARRAY['waiting', 'handled', 'ignored', 'failed'])),
  CONSTRAINT billing_event_subject CHECK ((subject_kind IS NULL) = (subject_id IS NULL)),
  CONSTRAINT billing_event_subject_id_check CHECK (subject_id <> ''),
  CONSTRAINT billing_event_subject_kind_check CHECK (subject_kind = ANY (ARRAY['customer', 'charge'])),
  CONSTRAINT billing_event_type_check CHECK (type <> ''),
  CONSTRAINT billing_event_waiting CHECK (state <> 'waiting' OR subject_id IS NOT NULL)
);

CREATE INDEX billing_event_done ON billing_event (received_at) WHERE state <> 'waiting';
CREATE INDEX billing_event_due ON billing_event (due_at) WHERE state = 'waiting';
CREATE INDEX billing_event_waiting_by_subject ON billing_event (subject_id) WHERE state = 'waiting';

ALTER TABLE billing_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_event FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_event_scope ON billing_event FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER billing_event_received AFTER INSERT ON billing_event FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER billing_event_stored AFTER INSERT ON billing_event FOR EACH ROW WHEN (new.state = 'waiting')
  EXECUTE FUNCTION app.billing_event_stored();
