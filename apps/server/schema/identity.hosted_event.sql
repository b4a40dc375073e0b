-- Written by `npm run generate` from a migrated database. Do not edit.

-- Events that an API of the version before stored. A job of the queue clerk-sync has taken their place; a later
-- version drops the table.
CREATE TABLE identity.hosted_event (
  id text NOT NULL,
  type text NOT NULL,
  -- user: read it again. session: it has ended. waitlist: read the requests. ended_sessions: end those of a user
  -- there.
  subject_kind text,
  subject_id text,
  -- The user of a session.
  hosted_id text,
  -- ignored: of a type that changes nothing here.
  state text NOT NULL,
  happened_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  -- The next attempt; while a worker handles it, the end of its lease.
  due_at timestamptz NOT NULL DEFAULT now(),
  handled_at timestamptz,
  -- Why the last attempt failed: a code of ours.
  problem text,
  CONSTRAINT hosted_event_id_check CHECK (id <> ''),
  CONSTRAINT hosted_event_of_user CHECK (subject_kind <> 'session' OR hosted_id IS NOT NULL),
  CONSTRAINT hosted_event_pkey PRIMARY KEY (id),
  CONSTRAINT hosted_event_problem_check CHECK (problem <> ''),
  CONSTRAINT hosted_event_state_check CHECK (state = ANY (ARRAY['waiting', 'handled', 'ignored', 'failed'])),
  CONSTRAINT hosted_event_subject CHECK ((subject_kind IS NULL) = (subject_id IS NULL)),
  CONSTRAINT hosted_event_subject_id_check CHECK (subject_id <> ''),
  CONSTRAINT hosted_event_subject_kind_check
    CHECK (subject_kind = ANY (ARRAY['user', 'session', 'waitlist', 'ended_sessions'])),
  CONSTRAINT hosted_event_type_check CHECK (type <> ''),
  CONSTRAINT hosted_event_waiting CHECK (state <> 'waiting' OR subject_id IS NOT NULL)
);

CREATE INDEX hosted_event_done ON identity.hosted_event (received_at) WHERE state <> 'waiting';
CREATE INDEX hosted_event_due ON identity.hosted_event (due_at) WHERE state = 'waiting';
CREATE INDEX hosted_event_waiting_by_subject ON identity.hosted_event (subject_id) WHERE state = 'waiting';

CREATE TRIGGER hosted_event_received AFTER INSERT ON identity.hosted_event FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER hosted_event_stored AFTER INSERT ON identity.hosted_event FOR EACH ROW WHEN (new.state = 'waiting')
  EXECUTE FUNCTION identity.hosted_event_stored();
