-- Written by `npm run generate` from a migrated database. Do not edit.

-- Sessions of the hosted identity service that called us or ended. Their tokens live for a minute; a row with
-- ended_at ends them at once. No foreign key: an end may arrive before the person.
CREATE TABLE identity.hosted_session (
  id text NOT NULL,
  hosted_id text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT hosted_session_id_check CHECK (id <> ''),
  CONSTRAINT hosted_session_pkey PRIMARY KEY (id)
);

CREATE INDEX hosted_session_by_time ON identity.hosted_session (first_seen_at);
CREATE INDEX hosted_session_open ON identity.hosted_session (hosted_id) WHERE ended_at IS NULL;

CREATE TRIGGER hosted_session_ended AFTER INSERT OR UPDATE OF ended_at ON identity.hosted_session FOR EACH ROW
  WHEN (new.ended_at IS NOT NULL) EXECUTE FUNCTION identity.announce_hosted_session();
