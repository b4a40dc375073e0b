-- Written by `npm run generate` from a migrated database. Do not edit.

-- Permissions of a user, apart from the tables that the library writes: no call of the library, however its fields
-- are configured, reaches a flag.
CREATE TABLE identity.user_access (
  user_id uuid NOT NULL,
  admin boolean NOT NULL DEFAULT false,
  super boolean NOT NULL DEFAULT false,
  provider_ids uuid[] NOT NULL DEFAULT '{}'::uuid[],
  disabled_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Since when the user is a super admin who can sign in.
  super_since timestamptz,
  -- The latest confirmation as a super admin. An unconfirmed super admin approves no payouts; four-eyes.ts in the
  -- domain package has the rule.
  confirmed_at timestamptz,
  -- The confirming super admin. NULL: an operator of the server confirmed.
  confirmed_by_id uuid,
  -- When the user accepted the invitation, and could sign in from then on. NULL: not yet.
  accepted_at timestamptz,
  -- The role at each provider where it is another than that of ordinary staff; staff-roles.ts in the domain package
  -- has what each may do.
  staff_roles jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT confirmed_by_at_a_time CHECK (confirmed_by_id IS NULL OR confirmed_at IS NOT NULL),
  CONSTRAINT nobody_confirms_itself CHECK (confirmed_by_id <> user_id),
  CONSTRAINT only_supers_are_confirmed CHECK (super OR confirmed_at IS NULL),
  CONSTRAINT staff_roles_by_provider
    CHECK (jsonb_typeof(staff_roles) = 'object'
    AND NOT jsonb_path_exists(staff_roles,
    '$.*?(((@ != "viewer" && @ != "finance") && @ != "operator") && @ != "owner")'::jsonpath)),
  CONSTRAINT super_since_when CHECK (super = (super_since IS NOT NULL)),
  CONSTRAINT user_access_check CHECK (admin OR NOT super),
  CONSTRAINT user_access_confirmed_by_id_fkey FOREIGN KEY (confirmed_by_id) REFERENCES identity."user"(id),
  CONSTRAINT user_access_pkey PRIMARY KEY (user_id),
  CONSTRAINT user_access_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

CREATE INDEX user_access_by_provider ON identity.user_access USING gin (provider_ids);
CREATE INDEX user_access_disabled ON identity.user_access (user_id) WHERE disabled_at IS NOT NULL;
CREATE INDEX user_access_invited ON identity.user_access (user_id) WHERE accepted_at IS NULL;
CREATE INDEX user_access_super ON identity.user_access (user_id) WHERE super;

CREATE TRIGGER access_guarded BEFORE INSERT OR UPDATE ON identity.user_access FOR EACH ROW WHEN (app.is_api())
  EXECUTE FUNCTION identity.guard_access();
CREATE CONSTRAINT TRIGGER access_sponsored AFTER INSERT OR UPDATE
  ON identity.user_access DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (new.super AND new.disabled_at IS NULL AND app.is_api()) EXECUTE FUNCTION identity.require_sponsor();
CREATE TRIGGER access_written AFTER INSERT OR DELETE OR UPDATE OF admin, super, provider_ids, disabled_at
  ON identity.user_access FOR EACH STATEMENT EXECUTE FUNCTION app.keep_provider_sets();
CREATE TRIGGER no_worker_confirms BEFORE INSERT ON identity.user_access FOR EACH ROW
  WHEN (new.super AND new.confirmed_at IS NOT NULL AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_promotes BEFORE UPDATE OF super, confirmed_at, confirmed_by_id ON identity.user_access
  FOR EACH ROW
  WHEN (new.super AND new.confirmed_at IS NOT NULL AND (new.super IS DISTINCT FROM old.super
  OR new.confirmed_at IS DISTINCT FROM old.confirmed_at OR new.confirmed_by_id IS DISTINCT FROM old.confirmed_by_id)
  AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER super_taken AFTER UPDATE ON identity.user_access FOR EACH ROW
  WHEN (old.super AND old.disabled_at IS NULL AND old.accepted_at IS NOT NULL AND (NOT new.super
  OR new.disabled_at IS NOT NULL) AND app.is_api()) EXECUTE FUNCTION identity.keep_a_super();
CREATE TRIGGER user_access_changed AFTER DELETE OR UPDATE ON identity.user_access FOR EACH ROW
  EXECUTE FUNCTION app.announce_access();
CREATE TRIGGER user_access_confirmed BEFORE UPDATE OF confirmed_at, confirmed_by_id ON identity.user_access
  FOR EACH ROW
  WHEN (new.confirmed_by_id IS NOT NULL AND (new.confirmed_at IS DISTINCT FROM old.confirmed_at
  OR new.confirmed_by_id IS DISTINCT FROM old.confirmed_by_id)) EXECUTE FUNCTION identity.refuse_confirmation();
