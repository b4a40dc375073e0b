-- Users, their sessions and credentials, and their flags. No row here belongs to a tenant, so these tables have no
-- row-level security: platform/identity/tables.ts lists them, and grants alone control access.

CREATE SCHEMA identity;
GRANT USAGE ON SCHEMA identity TO copydesk_app;

CREATE TABLE identity."user" (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  email_verified boolean NOT NULL,
  image text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  two_factor_enabled boolean
);

CREATE TABLE identity.session (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  expires_at timestamptz NOT NULL,
  token text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  authenticated_at timestamptz NOT NULL,
  second_factor_at timestamptz
);
COMMENT ON TABLE identity.session IS
  'Sessions. This table, "user", account, verification, jwks, two_factor and rate_limit are those of better-auth '
  '1.7.6 with its jwt and twoFactor plugins; auth-columns.ts renames the columns, and a test compares them with '
  'what the library would create.';
COMMENT ON COLUMN identity.session.authenticated_at IS
  'When the user of the session last proved their identity. Calls for money, secrets and users require that within '
  'ten minutes.';
COMMENT ON COLUMN identity.session.second_factor_at IS
  'When the user last entered a code of an authenticator app, or a backup code. NULL: not in this session.';
CREATE INDEX "session_user_id_idx" ON identity.session (user_id);

CREATE TABLE identity.account (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id text NOT NULL,
  provider_id text NOT NULL,
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL
);
COMMENT ON TABLE identity.account IS
  'Credentials of a user: here always a password (provider_id ''credential''), stored as a scrypt hash.';
CREATE INDEX "account_user_id_idx" ON identity.account (user_id);
CREATE UNIQUE INDEX account_of_user ON identity.account (user_id, provider_id);

CREATE TABLE identity.verification (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE identity.verification IS
  'Short-lived secrets of the library: password resets, two-factor challenges. Found by a hash.';
CREATE INDEX "verification_identifier_idx" ON identity.verification (identifier);

CREATE TABLE identity.jwks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  public_key text NOT NULL,
  private_key text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  alg text,
  crv text
);
COMMENT ON TABLE identity.jwks IS
  'Keys that sign access tokens. The private half is encrypted with the identity secret.';

CREATE TABLE identity.two_factor (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  secret text NOT NULL,
  backup_codes text NOT NULL,
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  verified boolean,
  failed_verification_count integer,
  locked_until timestamptz
);
CREATE INDEX "two_factor_secret_idx" ON identity.two_factor (secret);
CREATE INDEX "two_factor_user_id_idx" ON identity.two_factor (user_id);

CREATE TABLE identity.rate_limit (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  key text NOT NULL UNIQUE,
  count integer NOT NULL,
  last_request bigint NOT NULL
);
COMMENT ON TABLE identity.rate_limit IS 'Requests of one address to one path of /api/auth.';

CREATE TABLE identity.user_access (
  user_id uuid PRIMARY KEY REFERENCES identity."user" ON DELETE CASCADE,
  admin boolean NOT NULL DEFAULT false,
  super boolean NOT NULL DEFAULT false,
  provider_ids uuid[] NOT NULL DEFAULT '{}',
  disabled_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  super_since timestamptz,
  confirmed_at timestamptz,
  confirmed_by_id uuid REFERENCES identity."user",
  CHECK (admin OR NOT super),
  CONSTRAINT nobody_confirms_itself CHECK (confirmed_by_id <> user_id),
  CONSTRAINT confirmed_by_at_a_time CHECK (confirmed_by_id IS NULL OR confirmed_at IS NOT NULL),
  CONSTRAINT super_since_when CHECK (super = (super_since IS NOT NULL)),
  CONSTRAINT only_supers_are_confirmed CHECK (super OR confirmed_at IS NULL)
);
COMMENT ON TABLE identity.user_access IS
  'Permissions of a user, apart from the tables that the library writes: no call of the library, however its '
  'fields are configured, reaches a flag.';
COMMENT ON COLUMN identity.user_access.super_since IS 'Since when the user is a super admin who can sign in.';
COMMENT ON COLUMN identity.user_access.confirmed_at IS
  'The latest confirmation as a super admin. An unconfirmed super admin approves no payouts; four-eyes.ts in the '
  'domain package has the rule.';
COMMENT ON COLUMN identity.user_access.confirmed_by_id IS
  'The confirming super admin. NULL: an operator of the server confirmed.';
CREATE INDEX user_access_super ON identity.user_access (user_id) WHERE super;

CREATE TABLE identity.service_token (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL CHECK (name <> ''),
  prefix text NOT NULL,
  key_hash bytea NOT NULL UNIQUE CHECK (length(key_hash) = 32),
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  provider_ids uuid[] NOT NULL CHECK (cardinality(provider_ids) > 0),
  owner_id uuid NOT NULL REFERENCES identity."user",
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE identity.service_token IS
  'Keys of programs. A key is 256 random bits, shown once; only its SHA-256 is stored.';
CREATE INDEX service_token_by_owner ON identity.service_token (owner_id);

CREATE TABLE identity.setup_token (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE identity.setup_token IS 'Tokens that let the first super admin in.';

CREATE TABLE identity.invitation (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX invitation_by_user ON identity.invitation (user_id);

CREATE TABLE identity.used_totp_code (
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);
COMMENT ON TABLE identity.used_totp_code IS
  'Accepted codes of authenticator apps: the library alone would accept each of them again.';
CREATE INDEX used_totp_code_by_expiry ON identity.used_totp_code (expires_at);

CREATE TABLE identity.sign_in_failure (
  key_hash bytea PRIMARY KEY
    CONSTRAINT sign_in_failure_account_hash_check CHECK (length(key_hash) = 32),
  failures integer NOT NULL,
  blocked_until timestamptz,
  forget_at timestamptz NOT NULL
);
COMMENT ON TABLE identity.sign_in_failure IS
  'Failed sign-ins. They are counted for an account from one network, which locks, and for an account as a whole, '
  'which only slows.';
COMMENT ON COLUMN identity.sign_in_failure.key_hash IS
  'SHA-256 of the account, or of account and network. The account is the e-mail address as typed, whether or not a '
  'user has it.';
CREATE INDEX sign_in_failure_by_forgetting ON identity.sign_in_failure (forget_at);

CREATE TABLE identity.user_sponsor (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES identity."user",
  sponsor_id uuid NOT NULL REFERENCES identity."user",
  act text NOT NULL CHECK (act IN ('invited', 'promoted')),
  at timestamptz NOT NULL,
  CHECK (sponsor_id <> user_id)
);
COMMENT ON TABLE identity.user_sponsor IS
  'Every invitation and promotion of a user. Rows are never changed or removed: a new invitation does not erase an '
  'earlier one.';
CREATE INDEX user_sponsor_by_user ON identity.user_sponsor (user_id, sponsor_id);

-- Ids of all users who invited or promoted a user. The sponsors of an unconfirmed sponsor count too, recursively.
CREATE FUNCTION identity.sponsors_of(wanted uuid) RETURNS SETOF uuid
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    WITH RECURSIVE line (id) AS (
      SELECT s.sponsor_id FROM identity.user_sponsor s WHERE s.user_id = wanted
      UNION
      SELECT s.sponsor_id FROM line
      JOIN identity.user_access a ON a.user_id = line.id AND a.confirmed_at IS NULL
      JOIN identity.user_sponsor s ON s.user_id = line.id
    )
    SELECT line.id FROM line;
  END;

-- Four eyes means two people, not two accounts of one person. four-eyes.ts in the domain package has the rule; the
-- database enforces it as well.
CREATE FUNCTION identity.refuse_confirmation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM identity.user_access a
      WHERE a.user_id = NEW.confirmed_by_id AND a.super AND a.disabled_at IS NULL AND a.confirmed_at IS NOT NULL)
    OR NEW.confirmed_by_id IN (SELECT identity.sponsors_of(NEW.user_id))
  THEN
    RAISE EXCEPTION 'a super admin is confirmed by an independent, confirmed one'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER user_access_confirmed BEFORE UPDATE OF confirmed_at, confirmed_by_id ON identity.user_access
  FOR EACH ROW WHEN (NEW.confirmed_by_id IS NOT NULL
    AND (NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at
      OR NEW.confirmed_by_id IS DISTINCT FROM OLD.confirmed_by_id))
  EXECUTE FUNCTION identity.refuse_confirmation();

-- Every API process briefly caches the session and flags behind a token. This notifies all of them at once when a
-- session ends or flags change, whichever process, job or person changed them. The payload is the id of the user.
CREATE FUNCTION app.announce_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('copydesk_access', OLD.user_id::text);
  RETURN NULL;
END
$$;
CREATE TRIGGER session_ended AFTER DELETE ON identity.session
  FOR EACH ROW EXECUTE FUNCTION app.announce_access();
CREATE TRIGGER session_shortened AFTER UPDATE OF expires_at ON identity.session
  FOR EACH ROW WHEN (NEW.expires_at < OLD.expires_at) EXECUTE FUNCTION app.announce_access();
CREATE TRIGGER user_access_changed AFTER UPDATE OR DELETE ON identity.user_access
  FOR EACH ROW EXECUTE FUNCTION app.announce_access();

GRANT SELECT, INSERT, UPDATE
  ON identity."user", identity.account, identity.jwks, identity.user_access, identity.service_token,
    identity.setup_token, identity.invitation TO copydesk_app;
GRANT SELECT, INSERT, UPDATE, DELETE
  ON identity.session, identity.verification, identity.two_factor, identity.rate_limit, identity.used_totp_code,
    identity.sign_in_failure TO copydesk_app;
GRANT SELECT, INSERT
  ON identity.user_sponsor TO copydesk_app;
GRANT EXECUTE ON FUNCTION identity.sponsors_of(uuid) TO copydesk_app;
