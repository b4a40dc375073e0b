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
CREATE INDEX user_by_creation ON identity."user" (created_at, id);
CREATE INDEX user_texts ON identity."user" USING gin ((email || E'\n' || name) gin_trgm_ops);

GRANT SELECT, INSERT, UPDATE ON identity."user" TO copydesk_app;

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
  second_factor_at timestamptz,
  ends_at timestamptz
);
COMMENT ON TABLE identity.session IS
  'Sessions. This table, "user", account, verification, jwks, two_factor and rate_limit are those of better-auth '
  '1.7.6 with its jwt and twoFactor plugins; auth-columns.ts renames the columns, and a test compares them with '
  'what the library would create.';
COMMENT ON COLUMN identity.session.authenticated_at IS
  'When the user of the session last proved their identity. Calls for money, secrets and users require that within '
  'ten minutes.';
COMMENT ON COLUMN identity.session.second_factor_at IS
  'When the user last entered a code of an authenticator app or a backup code, or used a passkey. NULL: not in this '
  'session.';
COMMENT ON COLUMN identity.session.ends_at IS
  'The latest end of the session, whatever its user does. NULL: of an earlier version, so by created_at.';
CREATE INDEX "session_user_id_idx" ON identity.session (user_id);

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

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.session TO copydesk_app;

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

GRANT SELECT, INSERT, UPDATE ON identity.account TO copydesk_app;

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

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.verification TO copydesk_app;

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

GRANT SELECT, INSERT, UPDATE ON identity.jwks TO copydesk_app;

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

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.two_factor TO copydesk_app;

CREATE TABLE identity.rate_limit (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  key text NOT NULL UNIQUE,
  count integer NOT NULL,
  last_request bigint NOT NULL
);
COMMENT ON TABLE identity.rate_limit IS 'Requests of one address to one path of /api/auth.';

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.rate_limit TO copydesk_app;

CREATE TABLE identity.user_access (
  user_id uuid PRIMARY KEY REFERENCES identity."user" ON DELETE CASCADE,
  admin boolean NOT NULL DEFAULT false,
  super boolean NOT NULL DEFAULT false,
  provider_ids uuid[] NOT NULL DEFAULT '{}'::uuid[],
  disabled_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  super_since timestamptz,
  confirmed_at timestamptz,
  confirmed_by_id uuid REFERENCES identity."user",
  accepted_at timestamptz,
  staff_roles jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT confirmed_by_at_a_time CHECK (confirmed_by_id IS NULL OR confirmed_at IS NOT NULL),
  CONSTRAINT nobody_confirms_itself CHECK (confirmed_by_id <> user_id),
  CONSTRAINT only_supers_are_confirmed CHECK (super OR confirmed_at IS NULL),
  CONSTRAINT staff_roles_by_provider
    CHECK (jsonb_typeof(staff_roles) = 'object'
    AND NOT jsonb_path_exists(staff_roles,
    '$.*?(((@ != "viewer" && @ != "finance") && @ != "operator") && @ != "owner")'::jsonpath)),
  CONSTRAINT super_since_when CHECK (super = (super_since IS NOT NULL)),
  CONSTRAINT user_access_check CHECK (admin OR NOT super)
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
COMMENT ON COLUMN identity.user_access.accepted_at IS
  'When the user accepted the invitation, and could sign in from then on. NULL: not yet.';
COMMENT ON COLUMN identity.user_access.staff_roles IS
  'The role at each provider where it is another than that of ordinary staff; staff-roles.ts in the domain package has what each may do.';
CREATE INDEX user_access_super ON identity.user_access (user_id) WHERE super;
CREATE INDEX user_access_invited ON identity.user_access (user_id) WHERE accepted_at IS NULL;
CREATE INDEX user_access_disabled ON identity.user_access (user_id) WHERE disabled_at IS NOT NULL;
CREATE INDEX user_access_by_provider ON identity.user_access USING gin (provider_ids);

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
CREATE TRIGGER user_access_changed AFTER UPDATE OR DELETE ON identity.user_access
  FOR EACH ROW EXECUTE FUNCTION app.announce_access();

-- Sets follow the users who hold them. The locks let writers of parts finish first, and later writers see the new set,
-- so no sum misses a concurrent change. Each set costs every write of a shared trader a row, so there are at most 64;
-- for any other set, lists compute the sums. New rows are analysed immediately: until then the planner takes a new set
-- for empty, and sorts all of it.
CREATE FUNCTION app.keep_provider_sets() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text;
  added integer[];
BEGIN
  IF app.provider_sets_agree() THEN
    RETURN NULL;
  END IF;
  caller_scope := app.open_scope();
  LOCK TABLE provider_set IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM provider_set v WHERE NOT EXISTS (SELECT FROM app.provider_sets_in_use() u WHERE u = v.provider_ids);
  IF EXISTS (SELECT FROM app.provider_sets_in_use() u WHERE NOT EXISTS (
    SELECT FROM provider_set v WHERE v.provider_ids = u)) THEN
    LOCK TABLE trader_provider, payout_provider IN SHARE MODE;
    WITH made AS (
      INSERT INTO provider_set (provider_ids)
      SELECT u FROM app.provider_sets_in_use() u
      WHERE NOT EXISTS (SELECT FROM provider_set v WHERE v.provider_ids = u)
      ORDER BY u LIMIT greatest(0, 64 - (SELECT count(*) FROM provider_set))
      RETURNING id)
    SELECT array_agg(id) INTO added FROM made;
    PERFORM app.refresh_trader_sets(NULL, added) WHERE added IS NOT NULL;
    PERFORM app.refresh_payout_sets(NULL, added) WHERE added IS NOT NULL;
    ANALYZE trader_in_set, payout_in_set;
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER access_written AFTER INSERT OR DELETE OR UPDATE OF admin, super, provider_ids, disabled_at
  ON identity.user_access FOR EACH STATEMENT EXECUTE FUNCTION app.keep_provider_sets();

-- Named so that it fires before user_access_confirmed, which checks who confirms.
CREATE FUNCTION identity.guard_access() RETURNS trigger
  LANGUAGE plpgsql AS $$
DECLARE
  was_super boolean := false;
  was_confirmed boolean := false;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.user_id <> OLD.user_id OR (NEW.accepted_at IS NULL AND OLD.accepted_at IS NOT NULL) THEN
      RAISE EXCEPTION 'access stays with its user' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    was_super := OLD.super AND OLD.disabled_at IS NULL;
    was_confirmed := OLD.confirmed_at IS NOT NULL;
  END IF;
  IF NEW.super AND identity.needs_no_sponsor(NEW.user_id) THEN
    RETURN NEW;
  END IF;
  IF NEW.super AND NOT was_super THEN
    NEW.confirmed_at := NULL;
    NEW.confirmed_by_id := NULL;
  ELSIF NEW.confirmed_at IS NOT NULL AND NEW.confirmed_by_id IS NULL
    AND (NOT was_confirmed OR OLD.confirmed_by_id IS NOT NULL OR OLD.confirmed_at <> NEW.confirmed_at) THEN
    RAISE EXCEPTION 'only the operator of the server confirms without a super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  -- Approvers have a minimum age, which begins when they can sign in.
  IF NEW.super_since IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.super_since IS DISTINCT FROM OLD.super_since
    OR OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL) THEN
    NEW.super_since := greatest(NEW.super_since, now());
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER access_guarded BEFORE INSERT OR UPDATE ON identity.user_access FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION identity.guard_access();

CREATE FUNCTION identity.require_sponsor() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.super AND OLD.disabled_at IS NULL OR identity.needs_no_sponsor(NEW.user_id) THEN
    RETURN NULL;
  ELSIF EXISTS (SELECT FROM identity.hosted_user h WHERE h.user_id = NEW.user_id)
    AND NOT EXISTS (SELECT FROM identity.sign_in_service s WHERE s.kind = 'embedded') THEN
    RETURN NULL;
  ELSIF NOT EXISTS (SELECT FROM identity.user_sponsor s
    WHERE s.user_id = NEW.user_id AND s.xid = pg_current_xact_id() AND identity.is_active_super(s.sponsor_id))
  THEN
    RAISE EXCEPTION 'a super admin is made by another one, who is noted as its sponsor'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER access_sponsored AFTER INSERT OR UPDATE ON identity.user_access
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.super AND NEW.disabled_at IS NULL AND app.is_api())
  EXECUTE FUNCTION identity.require_sponsor();

-- Without one, the next account of the API's would be the first again. At once, not at the end: the new one would count.
CREATE FUNCTION identity.keep_a_super() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('copydesk.super-admins'));
  IF NOT EXISTS (SELECT FROM identity.user_access a
    WHERE a.super AND a.disabled_at IS NULL AND a.accepted_at IS NOT NULL)
  THEN
    RAISE EXCEPTION 'at least one active super admin must remain' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER super_taken AFTER UPDATE ON identity.user_access FOR EACH ROW
  WHEN (OLD.super AND OLD.disabled_at IS NULL AND OLD.accepted_at IS NOT NULL
    AND (NOT NEW.super OR NEW.disabled_at IS NOT NULL) AND app.is_api())
  EXECUTE FUNCTION identity.keep_a_super();
-- Who decides: nobody becomes a confirmed super admin by a worker, or the sponsor of one.
-- From a hosted identity service they read who joins, and an unconfirmed super admin approves nothing.
CREATE TRIGGER no_worker_promotes BEFORE UPDATE OF super, confirmed_at, confirmed_by_id ON identity.user_access
  FOR EACH ROW WHEN (NEW.super AND NEW.confirmed_at IS NOT NULL AND (NEW.super, NEW.confirmed_at, NEW.confirmed_by_id)
    IS DISTINCT FROM (OLD.super, OLD.confirmed_at, OLD.confirmed_by_id) AND app.is_worker())
  EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_confirms BEFORE INSERT ON identity.user_access
  FOR EACH ROW WHEN (NEW.super AND NEW.confirmed_at IS NOT NULL AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();

GRANT SELECT, INSERT, UPDATE ON identity.user_access TO copydesk_app;

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

GRANT SELECT, INSERT, UPDATE ON identity.service_token TO copydesk_app;

CREATE TABLE identity.setup_token (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE identity.setup_token IS 'Tokens that let the first super admin in.';

GRANT SELECT, INSERT, UPDATE ON identity.setup_token TO copydesk_app;

CREATE TABLE identity.invitation (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  invited_by_id uuid REFERENCES identity."user" ON DELETE CASCADE,
  shown_at timestamptz
);
COMMENT ON COLUMN identity.invitation.invited_by_id IS
  'The super admin who invited. NULL: the operator of the server.';
COMMENT ON COLUMN identity.invitation.shown_at IS
  'When the link was shown to the inviter, who could use it. NULL: it was only mailed.';
CREATE INDEX invitation_by_user ON identity.invitation (user_id);
-- Read whenever somebody loses the rights of a super admin.
CREATE INDEX invitation_by_inviter ON identity.invitation (invited_by_id) WHERE used_at IS NULL;

GRANT SELECT, INSERT, UPDATE ON identity.invitation TO copydesk_app;

CREATE TABLE identity.used_totp_code (
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);
COMMENT ON TABLE identity.used_totp_code IS
  'Accepted codes of authenticator apps: the library alone would accept each of them again.';
CREATE INDEX used_totp_code_by_expiry ON identity.used_totp_code (expires_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.used_totp_code TO copydesk_app;

CREATE TABLE identity.sign_in_failure (
  key_hash bytea PRIMARY KEY
    CONSTRAINT sign_in_failure_account_hash_check CHECK (length(key_hash) = 32),
  failures integer NOT NULL,
  blocked_until timestamptz,
  forget_at timestamptz NOT NULL
);
COMMENT ON TABLE identity.sign_in_failure IS
  'Failed sign-ins, and mails about a new password. Failures are counted for an account from one network, which locks, and for an account as a whole, which only slows; mails for the account.';
COMMENT ON COLUMN identity.sign_in_failure.key_hash IS
  'SHA-256 of the account, or of account and network. The account is the e-mail address as typed, whether or not a '
  'user has it.';
CREATE INDEX sign_in_failure_by_forgetting ON identity.sign_in_failure (forget_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.sign_in_failure TO copydesk_app;

CREATE TABLE identity.user_sponsor (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL REFERENCES identity."user",
  sponsor_id uuid NOT NULL REFERENCES identity."user",
  act text NOT NULL CHECK (act IN ('invited', 'promoted', 'reset')),
  at timestamptz NOT NULL,
  xid xid8,
  CONSTRAINT user_sponsor_check CHECK (sponsor_id <> user_id)
);
COMMENT ON TABLE identity.user_sponsor IS
  'Every invitation, promotion and removal of a second factor of a user by another one. Rows are never changed or removed: a new invitation does not erase an earlier one.';
COMMENT ON COLUMN identity.user_sponsor.xid IS 'The transaction that wrote the row. NULL: before this was recorded.';
CREATE INDEX user_sponsor_by_user ON identity.user_sponsor (user_id, sponsor_id);
CREATE INDEX user_sponsor_by_sponsor ON identity.user_sponsor (sponsor_id, id DESC);

CREATE FUNCTION identity.stamp_sponsor() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF app.is_api() AND NOT identity.is_active_super(NEW.sponsor_id) THEN
    RAISE EXCEPTION 'a sponsor is an active super admin' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  NEW.xid := pg_current_xact_id();
  RETURN NEW;
END
$$;

CREATE TRIGGER sponsor_noted BEFORE INSERT ON identity.user_sponsor FOR EACH ROW
  EXECUTE FUNCTION identity.stamp_sponsor();
CREATE TRIGGER no_worker_sponsors BEFORE INSERT ON identity.user_sponsor
  FOR EACH ROW WHEN (app.is_worker()) EXECUTE FUNCTION app.refuse_worker();

GRANT SELECT, INSERT ON identity.user_sponsor TO copydesk_app;

CREATE TABLE identity.user_seen (
  user_id uuid PRIMARY KEY REFERENCES identity."user" (id) ON DELETE CASCADE,
  seen_at timestamptz NOT NULL
);
COMMENT ON TABLE identity.user_seen IS
  'When users last called the API, to within five minutes. Apart from user_access: its changes end caches everywhere.';

GRANT SELECT, INSERT, UPDATE ON identity.user_seen TO copydesk_app;

-- What a person can see, read with that person's eyes by a super admin.
CREATE TABLE identity.view_as (
  viewer_id uuid PRIMARY KEY REFERENCES identity."user" (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES identity."user" (id) ON DELETE CASCADE,
  started_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT view_as_another CHECK (viewer_id <> user_id)
);
COMMENT ON TABLE identity.view_as IS
  'Super admins who view as another user: read only, for half an hour, one at a time. The audit has when each began.';

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.view_as TO copydesk_app;

-- People who ask for access.
CREATE TABLE identity.waitlist (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL UNIQUE,
  name text NOT NULL CHECK (name <> ''),
  note text,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'declined')),
  joined_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by text,
  CONSTRAINT waitlist_decision CHECK ((state = 'waiting') = (decided_at IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL))
);
COMMENT ON TABLE identity.waitlist IS
  'People who asked for access on the sign-in page. Approved: a super admin has invited them.';
CREATE INDEX waitlist_waiting ON identity.waitlist (joined_at) WHERE state = 'waiting';

GRANT SELECT, INSERT, UPDATE ON identity.waitlist TO copydesk_app;

CREATE TABLE identity.passkey (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  name text NOT NULL CHECK (name <> '' AND length(name) <= 60),
  credential_id text NOT NULL,
  public_key text NOT NULL,
  counter bigint NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
COMMENT ON TABLE identity.passkey IS
  'Passkeys of users. The table is that of better-auth 1.7.6 with its passkey plugin, and last_used_at, which is ours.';
COMMENT ON COLUMN identity.passkey.counter IS
  'How often the authenticator has signed, as it says; 0 throughout where it does not count.';
CREATE INDEX passkey_user_id_idx ON identity.passkey (user_id);
-- The library finds a passkey by this alone: a second user with the same one would keep the first from signing in.
CREATE UNIQUE INDEX passkey_credential_id_idx ON identity.passkey (credential_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.passkey TO copydesk_app;

CREATE TABLE refused_attempt (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  hour timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('access', 'authentication', 'reauthentication', 'four_eyes', 'rate')),
  code text NOT NULL,
  call text,
  caller_kind text CHECK (caller_kind IN ('user', 'service')),
  caller_id text,
  caller_name text,
  network text,
  address text,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  request_id text,
  CONSTRAINT refused_attempt_key UNIQUE NULLS NOT DISTINCT (hour, code, call, caller_kind, caller_id, network),
  CONSTRAINT refused_attempt_caller CHECK ((caller_kind IS NULL) = (caller_id IS NULL) AND (caller_id IS NULL) = (caller_name IS NULL)),
  CONSTRAINT refused_attempt_rest CHECK ((call IS NULL) = (network IS NULL) AND (network IS NULL) = (address IS NULL)),
  CONSTRAINT refused_attempt_times CHECK (hour <= first_at AND first_at <= last_at)
);
COMMENT ON TABLE refused_attempt IS
  'Attempts that were refused, one row for an hour, code, call, caller and network. Kept for 180 days.';
COMMENT ON COLUMN refused_attempt.call IS
  'Method and path of the contract, never the URL. NULL: several calls and networks, beyond what one hour lists.';
COMMENT ON COLUMN refused_attempt.caller_id IS
  'NULL: unknown. Of a sign-in, the account only if the e-mail address has one: people type passwords into that field.';
COMMENT ON COLUMN refused_attempt.network IS 'The address, or the first half of an IPv6 address.';
COMMENT ON COLUMN refused_attempt.address IS 'The address of the last attempt.';
CREATE INDEX refused_attempt_by_time ON refused_attempt (last_at DESC, id DESC);
CREATE INDEX refused_attempt_by_kind ON refused_attempt (kind, last_at DESC, id DESC);
CREATE INDEX refused_attempt_by_code ON refused_attempt (code, last_at DESC, id DESC);
CREATE INDEX refused_attempt_by_caller ON refused_attempt (caller_id, last_at DESC, id DESC) WHERE caller_id IS NOT NULL;
CREATE INDEX refused_attempt_by_network ON refused_attempt (network, last_at DESC, id DESC) WHERE network IS NOT NULL;
-- Every page of the security log counts the attempts that it does not list: few rows of a table that may be long.
CREATE INDEX refused_attempt_unlisted ON refused_attempt (last_at DESC) WHERE call IS NULL;

ALTER TABLE refused_attempt ENABLE ROW LEVEL SECURITY;
ALTER TABLE refused_attempt FORCE ROW LEVEL SECURITY;
CREATE POLICY refused_attempt_read ON refused_attempt FOR SELECT USING ((SELECT app.sees_all()));
CREATE POLICY refused_attempt_add ON refused_attempt FOR INSERT WITH CHECK ((SELECT app.sees_all()));
CREATE POLICY refused_attempt_count ON refused_attempt FOR UPDATE USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
-- Nothing that holds the application's login can remove a recent row.
CREATE POLICY refused_attempt_prune ON refused_attempt FOR DELETE
  USING ((SELECT app.sees_all()) AND last_at < now() - interval '180 days');

REVOKE UPDATE ON refused_attempt FROM copydesk_app;
GRANT UPDATE (caller_name, address, last_at, count, request_id) ON refused_attempt TO copydesk_app;

-- Reads of users are numbered before they begin: of several at once, the one that began last has seen everything.
CREATE SEQUENCE identity.hosted_read_number;
GRANT USAGE ON SEQUENCE identity.hosted_read_number TO copydesk_app;

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

CREATE TRIGGER hosted_sessions_ended AFTER UPDATE OF sessions_end_at ON identity.hosted_user
  FOR EACH ROW EXECUTE FUNCTION app.announce_access();

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.hosted_user TO copydesk_app;

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

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.hosted_session TO copydesk_app;

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
  'Events that an API of the version before stored. A job of the queue clerk-sync has taken their place; a later version drops the table.';
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

-- An ended session is the event itself: nothing has to be read.
CREATE FUNCTION identity.hosted_event_stored() RETURNS trigger
  LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
BEGIN
  IF NEW.subject_kind = 'session' THEN
    INSERT INTO identity.hosted_session AS s (id, hosted_id, first_seen_at, ended_at)
    VALUES (NEW.subject_id, NEW.hosted_id, now(), now())
    ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at WHERE s.ended_at IS NULL;
  ELSIF EXISTS (SELECT FROM pgboss.queue q WHERE q.name = 'clerk-sync') THEN
    PERFORM app.request_sync('clerk-sync', NEW.subject_kind, NEW.subject_id,
      CASE WHEN NEW.subject_kind = 'ended_sessions' THEN NEW.happened_at END);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER hosted_event_stored AFTER INSERT ON identity.hosted_event
  FOR EACH ROW WHEN (NEW.state = 'waiting') EXECUTE FUNCTION identity.hosted_event_stored();

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.hosted_event TO copydesk_app;

-- A webhook of the hosted identity service may be lost. Its people are compared with ours every six hours, a page at a
-- time; this is how far the comparison has come.
CREATE TABLE identity.hosted_comparison (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  began_at timestamptz NOT NULL,
  after_hosted_id text NOT NULL,
  ended_at timestamptz
);
COMMENT ON TABLE identity.hosted_comparison IS
  'The comparison of our people with those at the hosted identity service, in one row at most.';
COMMENT ON COLUMN identity.hosted_comparison.after_hosted_id IS
  'Users up to this id have been compared; empty: none yet. A comparison that was broken off goes on after it.';
COMMENT ON COLUMN identity.hosted_comparison.ended_at IS 'Null: it goes on.';

GRANT SELECT, INSERT, UPDATE ON identity.hosted_comparison TO copydesk_app;

-- A token of the hosted identity service names the organisation in which its person works, by an id of the service.
CREATE TABLE identity.hosted_organization (
  hosted_id text PRIMARY KEY CHECK (hosted_id <> ''),
  provider_id uuid
);
COMMENT ON TABLE identity.hosted_organization IS
  'Which organisation at the hosted identity service is which provider, as read with the memberships of a person. It '
  'narrows the rights of whoever works in it, and gives none.';
COMMENT ON COLUMN identity.hosted_organization.provider_id IS
  'Null: the organisation belongs to no provider, and working in it changes nothing here.';

GRANT SELECT, INSERT, UPDATE ON identity.hosted_organization TO copydesk_app;

-- Whether people sign in here or at a hosted service, which grants by its metadata: a worker says so, not the API.
CREATE TABLE identity.sign_in_service (
  is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  kind text NOT NULL CHECK (kind IN ('embedded', 'hosted')),
  noted_at timestamptz NOT NULL
);
COMMENT ON TABLE identity.sign_in_service IS
  'The service of the worker that started last. Where it is embedded, every super admin has a sponsor.';

GRANT SELECT ON identity.sign_in_service TO copydesk_app;
GRANT INSERT, UPDATE ON identity.sign_in_service TO copydesk_worker;

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
GRANT EXECUTE ON FUNCTION identity.sponsors_of(uuid) TO copydesk_app;

CREATE FUNCTION app.provider_sets_in_use() RETURNS SETOF uuid[]
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
  SELECT DISTINCT ids FROM identity.user_access a
  CROSS JOIN LATERAL (SELECT ARRAY(SELECT DISTINCT unnest(a.provider_ids) ORDER BY 1) AS ids) sorted
  WHERE a.admin AND NOT a.super AND a.disabled_at IS NULL AND cardinality(ids) > 1
$$;

CREATE FUNCTION app.is_independent(approver text, author text) RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT approver <> author
    AND EXISTS (SELECT FROM identity.user_access a
      WHERE a.user_id::text = approver AND a.super AND a.disabled_at IS NULL AND a.confirmed_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM identity.user_access a
      WHERE a.user_id::text = author AND a.confirmed_at IS NULL
        AND approver IN (SELECT identity.sponsors_of(a.user_id)::text));
END;
COMMENT ON FUNCTION app.is_independent(text, text) IS
  'Whether a user is an active, confirmed super admin, and neither the author nor one who made the author. four-eyes.ts in the domain package has the rule.';
GRANT EXECUTE ON FUNCTION app.is_independent(text, text) TO copydesk_app;

CREATE FUNCTION identity.is_active_super(wanted uuid) RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM identity.user_access a
    WHERE a.user_id = wanted AND a.super AND a.disabled_at IS NULL AND a.accepted_at IS NOT NULL);
END;
COMMENT ON FUNCTION identity.is_active_super(uuid) IS 'Whether a user is a super admin who can sign in.';
GRANT EXECUTE ON FUNCTION identity.is_active_super(uuid) TO copydesk_app;
