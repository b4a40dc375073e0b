-- Who may sign in, with what, and what they may then do. Nothing here belongs to a tenant, so there is no
-- row-level security: the tables are listed in platform/identity/tables.ts, and access is by grant alone.

CREATE SCHEMA identity;
GRANT USAGE ON SCHEMA identity TO copydesk_app;

-- The tables of better-auth 1.7.6 with its jwt and twoFactor plugins, columns renamed in auth-columns.ts. A test
-- holds them against what the library would create.

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
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE
);
CREATE INDEX "session_user_id_idx" ON identity.session (user_id);

-- How a user proves itself: here always by a password (provider_id 'credential'), stored as a scrypt hash.
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
CREATE INDEX "account_user_id_idx" ON identity.account (user_id);
CREATE UNIQUE INDEX account_of_user ON identity.account (user_id, provider_id);

-- Short-lived secrets of the library: password resets, two-factor challenges.
CREATE TABLE identity.verification (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX "verification_identifier_idx" ON identity.verification (identifier);

-- Keys that sign access tokens; the private half is encrypted with the identity secret.
CREATE TABLE identity.jwks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  public_key text NOT NULL,
  private_key text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  alg text,
  crv text
);

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

-- Requests of one address to one path of /api/auth.
CREATE TABLE identity.rate_limit (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  key text NOT NULL UNIQUE,
  count integer NOT NULL,
  last_request bigint NOT NULL
);

GRANT SELECT, INSERT, UPDATE ON identity."user", identity.account, identity.jwks TO copydesk_app;
GRANT SELECT, INSERT, UPDATE, DELETE
  ON identity.session, identity.verification, identity.two_factor, identity.rate_limit TO copydesk_app;

-- Ours from here. What a user may do stands apart from what the library writes: no call of the library, however
-- its fields are configured, reaches a flag.
CREATE TABLE identity.user_access (
  user_id uuid PRIMARY KEY REFERENCES identity."user" ON DELETE CASCADE,
  admin boolean NOT NULL DEFAULT false,
  super boolean NOT NULL DEFAULT false,
  provider_ids uuid[] NOT NULL DEFAULT '{}',
  disabled_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (admin OR NOT super)
);
CREATE INDEX user_access_super ON identity.user_access (user_id) WHERE super;

-- Keys of programs. The key itself is 256 random bits, shown once; its SHA-256 is all that is kept.
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
CREATE INDEX service_token_by_owner ON identity.service_token (owner_id);

-- What lets the first super admin in.
CREATE TABLE identity.setup_token (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE identity.invitation (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX invitation_by_user ON identity.invitation (user_id);

-- Codes of authenticator apps that were accepted: the library alone would take each of them again.
CREATE TABLE identity.used_totp_code (
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);
CREATE INDEX used_totp_code_by_expiry ON identity.used_totp_code (expires_at);

-- Failed sign-ins of one account, from whatever address. Keyed by the SHA-256 of the e-mail address that was
-- typed, whether a user has it or not.
CREATE TABLE identity.sign_in_failure (
  account_hash bytea PRIMARY KEY CHECK (length(account_hash) = 32),
  failures integer NOT NULL,
  blocked_until timestamptz,
  forget_at timestamptz NOT NULL
);
CREATE INDEX sign_in_failure_by_forgetting ON identity.sign_in_failure (forget_at);

GRANT SELECT, INSERT, UPDATE
  ON identity.user_access, identity.service_token, identity.setup_token, identity.invitation TO copydesk_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.used_totp_code, identity.sign_in_failure TO copydesk_app;
