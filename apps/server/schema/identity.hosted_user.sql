-- Written by `npm run generate` from a migrated database. Do not edit.

-- Which user at the hosted identity service is which of ours. A link is never changed: another account there is
-- another person until a super admin invites it. People who move back to passwords of ours lose theirs.
CREATE TABLE identity.hosted_user (
  user_id uuid NOT NULL,
  hosted_id text NOT NULL,
  linked_at timestamptz NOT NULL,
  -- What the service said in the last read, as granted_super and granted_provider_ids. It grants once, at first
  -- sight; later only a difference to these columns counts, and only takes away.
  granted_admin boolean NOT NULL,
  granted_super boolean NOT NULL,
  granted_provider_ids uuid[] NOT NULL,
  -- The last read that was applied.
  read_number bigint NOT NULL,
  -- A session whose person authenticated before this has ended, whether or not it has ever called us.
  sessions_end_at timestamptz,
  CONSTRAINT hosted_user_hosted_id_check CHECK (hosted_id <> ''),
  CONSTRAINT hosted_user_hosted_id_key UNIQUE (hosted_id),
  CONSTRAINT hosted_user_pkey PRIMARY KEY (user_id),
  CONSTRAINT hosted_user_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

CREATE TRIGGER hosted_sessions_ended AFTER UPDATE OF sessions_end_at ON identity.hosted_user FOR EACH ROW
  EXECUTE FUNCTION app.announce_access();
