-- Written by `npm run generate` from a migrated database. Do not edit.

-- Users with their permissions, independent of the identity service. is_active: the user has accepted the invitation
-- and can sign in unless disabled.
CREATE VIEW identity.person WITH (security_invoker=true) AS
 SELECT u.id,
    u.name,
    u.email,
    u.created_at,
    COALESCE(u.two_factor_enabled, false) OR (EXISTS ( SELECT
           FROM identity.passkey k
          WHERE k.user_id = u.id)) AS has_second_factor,
    a.accepted_at IS NOT NULL AS is_active,
    a.admin,
    a.super,
    a.super_since,
    a.provider_ids,
    a.disabled_at,
    a.confirmed_at,
    a.confirmed_by_id,
    s.seen_at,
    a.staff_roles
   FROM identity."user" u
     JOIN identity.user_access a ON a.user_id = u.id
     LEFT JOIN identity.user_seen s ON s.user_id = u.id;
