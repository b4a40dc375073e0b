-- Passkeys, a second factor beside authenticator apps.

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

COMMENT ON COLUMN identity.session.second_factor_at IS
  'When the user last entered a code of an authenticator app or a backup code, or used a passkey. NULL: not in this '
  'session.';

CREATE OR REPLACE VIEW identity.person WITH (security_invoker = true) AS
  SELECT u.id, u.name, u.email, u.created_at,
    coalesce(u.two_factor_enabled, false)
      OR EXISTS (SELECT FROM identity.passkey k WHERE k.user_id = u.id) AS has_second_factor,
    a.accepted_at IS NOT NULL AS is_active,
    a.admin, a.super, a.super_since, a.provider_ids, a.disabled_at, a.confirmed_at, a.confirmed_by_id,
    s.seen_at,
    a.staff_roles
  FROM identity."user" u
  JOIN identity.user_access a ON a.user_id = u.id
  LEFT JOIN identity.user_seen s ON s.user_id = u.id;
