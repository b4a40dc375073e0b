-- Written by `npm run generate` from a migrated database. Do not edit.

-- Sessions. This table, "user", account, verification, jwks, two_factor and rate_limit are those of better-auth
-- 1.7.6 with its jwt and twoFactor plugins; auth-columns.ts renames the columns, and a test compares them with what
-- the library would create.
CREATE TABLE identity.session (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  expires_at timestamptz NOT NULL,
  token text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  user_id uuid NOT NULL,
  -- When the user of the session last proved their identity. Calls for money, secrets and users require that within
  -- ten minutes.
  authenticated_at timestamptz NOT NULL,
  -- When the user last entered a code of an authenticator app or a backup code, or used a passkey. NULL: not in this
  -- session.
  second_factor_at timestamptz,
  -- The latest end of the session, whatever its user does. NULL: of an earlier version, so by created_at.
  ends_at timestamptz,
  CONSTRAINT session_pkey PRIMARY KEY (id),
  CONSTRAINT session_token_key UNIQUE (token),
  CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

CREATE INDEX session_user_id_idx ON identity.session (user_id);

CREATE TRIGGER session_ended AFTER DELETE ON identity.session FOR EACH ROW EXECUTE FUNCTION app.announce_access();
CREATE TRIGGER session_shortened AFTER UPDATE OF expires_at ON identity.session FOR EACH ROW
  WHEN (new.expires_at < old.expires_at) EXECUTE FUNCTION app.announce_access();
