-- People as super admins list them.

CREATE TABLE identity.user_seen (
  user_id uuid PRIMARY KEY REFERENCES identity."user" (id) ON DELETE CASCADE,
  seen_at timestamptz NOT NULL
);
COMMENT ON TABLE identity.user_seen IS
  'When users last called the API, to within five minutes. Apart from user_access: its changes end caches everywhere.';
GRANT SELECT, INSERT, UPDATE ON identity.user_seen TO copydesk_app;

-- Acceptance was derived from the library's table of passwords, without statistics for the planner: listing invited people
-- took 165 ms among 100,000.
ALTER TABLE identity.user_access ADD COLUMN accepted_at timestamptz;
COMMENT ON COLUMN identity.user_access.accepted_at IS
  'When the user accepted the invitation, and could sign in from then on. NULL: not yet.';
UPDATE identity.user_access a SET accepted_at = c.created_at FROM identity.account c
  WHERE c.user_id = a.user_id AND c.provider_id = 'credential' AND c.password IS NOT NULL;
CREATE INDEX user_access_invited ON identity.user_access (user_id) WHERE accepted_at IS NULL;
CREATE INDEX user_access_disabled ON identity.user_access (user_id) WHERE disabled_at IS NOT NULL;

ALTER TABLE identity.user_access ADD COLUMN staff_roles jsonb NOT NULL DEFAULT '{}'
  CONSTRAINT staff_roles_by_provider CHECK (jsonb_typeof(staff_roles) = 'object'
    AND NOT jsonb_path_exists(staff_roles, '$.* ? (@ != "viewer" && @ != "finance" && @ != "operator" && @ != "owner")'));
COMMENT ON COLUMN identity.user_access.staff_roles IS
  'The role at each provider where it is another than that of ordinary staff; staff-roles.ts in the domain package has what each may do.';

CREATE OR REPLACE VIEW identity.person WITH (security_invoker = true) AS
  SELECT u.id, u.name, u.email, u.created_at,
    coalesce(u.two_factor_enabled, false) AS has_second_factor,
    a.accepted_at IS NOT NULL AS is_active,
    a.admin, a.super, a.super_since, a.provider_ids, a.disabled_at, a.confirmed_at, a.confirmed_by_id,
    s.seen_at,
    a.staff_roles
  FROM identity."user" u
  JOIN identity.user_access a ON a.user_id = u.id
  LEFT JOIN identity.user_seen s ON s.user_id = u.id;

CREATE INDEX user_by_creation ON identity."user" (created_at, id);
CREATE INDEX user_texts ON identity."user" USING gin (email gin_trgm_ops, name gin_trgm_ops);
CREATE INDEX user_access_by_provider ON identity.user_access USING gin (provider_ids);
CREATE INDEX user_sponsor_by_sponsor ON identity.user_sponsor (sponsor_id, id DESC);
