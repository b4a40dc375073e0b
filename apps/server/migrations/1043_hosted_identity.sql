-- People who sign in at a hosted identity service. Their accounts are those of everyone: a row of identity."user" without
-- a password, and permissions in identity.user_access. With passwords of ours these tables stay empty.

-- Reads of users are numbered before they begin: of several at once, the one that began last has seen everything.
CREATE SEQUENCE identity.hosted_read_number;

CREATE TABLE identity.hosted_user (
  user_id uuid PRIMARY KEY REFERENCES identity."user" ON DELETE CASCADE,
  hosted_id text NOT NULL UNIQUE CHECK (hosted_id <> ''),
  linked_at timestamptz NOT NULL,
  granted_admin boolean NOT NULL,
  granted_super boolean NOT NULL,
  granted_provider_ids uuid[] NOT NULL,
  read_number bigint NOT NULL,
  sessions_end_at timestamptz
);
COMMENT ON TABLE identity.hosted_user IS
  'Which user at the hosted identity service is which of ours. A link is never changed: another account there is another '
  'person until a super admin invites it. People who move back to passwords of ours lose theirs.';
COMMENT ON COLUMN identity.hosted_user.granted_admin IS
  'What the service said in the last read, as granted_super and granted_provider_ids. It grants once, at first sight; '
  'later only a difference to these columns counts, and only takes away.';
COMMENT ON COLUMN identity.hosted_user.read_number IS 'The last read that was applied.';
COMMENT ON COLUMN identity.hosted_user.sessions_end_at IS
  'A session whose person authenticated before this has ended, whether or not it has ever called us.';

CREATE TABLE identity.hosted_session (
  id text PRIMARY KEY CHECK (id <> ''),
  hosted_id text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  ended_at timestamptz
);
COMMENT ON TABLE identity.hosted_session IS
  'Sessions of the hosted identity service that called us or ended. Their tokens live for a minute; a row with ended_at '
  'ends them at once. No foreign key: an end may arrive before the person.';
CREATE INDEX hosted_session_open ON identity.hosted_session (hosted_id) WHERE ended_at IS NULL;
CREATE INDEX hosted_session_by_time ON identity.hosted_session (first_seen_at);

-- As app.announce_access, for sessions, which know their person by the service's id.
CREATE FUNCTION identity.announce_hosted_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('copydesk_access', h.user_id::text) FROM identity.hosted_user h WHERE h.hosted_id = NEW.hosted_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER hosted_session_ended AFTER INSERT OR UPDATE OF ended_at ON identity.hosted_session
  FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION identity.announce_hosted_session();
CREATE TRIGGER hosted_sessions_ended AFTER UPDATE OF sessions_end_at ON identity.hosted_user
  FOR EACH ROW EXECUTE FUNCTION app.announce_access();

CREATE TABLE identity.hosted_event (
  id text PRIMARY KEY CHECK (id <> ''),
  type text NOT NULL CHECK (type <> ''),
  subject_kind text CHECK (subject_kind IN ('user', 'session', 'waitlist', 'ended_sessions')),
  subject_id text CHECK (subject_id <> ''),
  hosted_id text,
  state text NOT NULL CHECK (state IN ('waiting', 'handled', 'ignored', 'failed')),
  happened_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  handled_at timestamptz,
  problem text CHECK (problem <> ''),
  CONSTRAINT hosted_event_subject CHECK ((subject_kind IS NULL) = (subject_id IS NULL)),
  CONSTRAINT hosted_event_waiting CHECK (state <> 'waiting' OR subject_id IS NOT NULL),
  CONSTRAINT hosted_event_of_user CHECK (subject_kind <> 'session' OR hosted_id IS NOT NULL)
);
COMMENT ON TABLE identity.hosted_event IS
  'Events that the hosted identity service sent, each once by the id of its message, and sessions that it has to end for '
  'us. They only say what to read again: their own content is not stored.';
COMMENT ON COLUMN identity.hosted_event.subject_kind IS
  'user: read it again. session: it has ended. waitlist: read the requests. ended_sessions: end those of a user there.';
COMMENT ON COLUMN identity.hosted_event.hosted_id IS 'The user of a session.';
COMMENT ON COLUMN identity.hosted_event.state IS 'ignored: of a type that changes nothing here.';
COMMENT ON COLUMN identity.hosted_event.due_at IS 'The next attempt; while a worker handles it, the end of its lease.';
COMMENT ON COLUMN identity.hosted_event.problem IS 'Why the last attempt failed: a code of ours.';
CREATE INDEX hosted_event_due ON identity.hosted_event (due_at) WHERE state = 'waiting';
CREATE INDEX hosted_event_waiting_by_subject ON identity.hosted_event (subject_id) WHERE state = 'waiting';
CREATE INDEX hosted_event_done ON identity.hosted_event (received_at) WHERE state <> 'waiting';
CREATE TRIGGER hosted_event_received AFTER INSERT ON identity.hosted_event
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

GRANT USAGE ON SEQUENCE identity.hosted_read_number TO copydesk_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.hosted_user, identity.hosted_session, identity.hosted_event
  TO copydesk_app;
