-- People as super admins list them.

CREATE TABLE identity.user_seen (
  user_id uuid PRIMARY KEY REFERENCES identity."user" (id) ON DELETE CASCADE,
  seen_at timestamptz NOT NULL
);
COMMENT ON TABLE identity.user_seen IS
  'When users last called the API, to within five minutes. Apart from user_access: its changes end caches everywhere.';
GRANT SELECT, INSERT, UPDATE ON identity.user_seen TO copydesk_app;

CREATE OR REPLACE VIEW identity.person WITH (security_invoker = true) AS
  SELECT u.id, u.name, u.email, u.created_at,
    coalesce(u.two_factor_enabled, false) AS has_second_factor,
    c.password IS NOT NULL AS is_active,
    a.admin, a.super, a.super_since, a.provider_ids, a.disabled_at, a.confirmed_at, a.confirmed_by_id,
    s.seen_at
  FROM identity."user" u
  JOIN identity.user_access a ON a.user_id = u.id
  -- One row at most: account_of_user is unique.
  LEFT JOIN identity.account c ON c.user_id = u.id AND c.provider_id = 'credential'
  LEFT JOIN identity.user_seen s ON s.user_id = u.id;

CREATE INDEX user_by_creation ON identity."user" (created_at, id);
CREATE INDEX user_texts ON identity."user" USING gin (email gin_trgm_ops, name gin_trgm_ops);
CREATE INDEX user_access_by_provider ON identity.user_access USING gin (provider_ids);
CREATE INDEX user_sponsor_by_sponsor ON identity.user_sponsor (sponsor_id, id DESC);
