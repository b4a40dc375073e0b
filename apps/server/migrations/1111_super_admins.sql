-- Who becomes a super admin, and by whom: what the API's role says about it is checked, because approvals depend on it.

ALTER TABLE identity.user_sponsor ADD COLUMN xid xid8;
COMMENT ON COLUMN identity.user_sponsor.xid IS 'The transaction that wrote the row. NULL: before this was recorded.';

CREATE FUNCTION identity.is_active_super(wanted uuid) RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM identity.user_access a
    WHERE a.user_id = wanted AND a.super AND a.disabled_at IS NULL AND a.accepted_at IS NOT NULL);
END;
COMMENT ON FUNCTION identity.is_active_super(uuid) IS 'Whether a user is a super admin who can sign in.';

-- The first super admin claims the set-up token, and the personas of a demo world come with it.
CREATE FUNCTION identity.needs_no_sponsor(candidate uuid) RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT NOT EXISTS (SELECT FROM identity.user_access a
      WHERE a.user_id <> candidate AND a.super AND a.disabled_at IS NULL AND a.accepted_at IS NOT NULL)
    OR (EXISTS (SELECT FROM demo_world)
      AND EXISTS (SELECT FROM identity."user" u WHERE u.id = candidate AND u.email LIKE '%@demo.example'));
END;
COMMENT ON FUNCTION identity.needs_no_sponsor(uuid) IS
  'Whether a user may be a confirmed super admin without another one: the only one, who approves nothing alone, or a persona of a demo world.';
GRANT EXECUTE ON FUNCTION identity.is_active_super(uuid), identity.needs_no_sponsor(uuid) TO copydesk_app;

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
