-- Whatever two people decide is decided by another, independent person in the database too: changes of settings and
-- releases of addresses as well as distributions, and rows that are born decided.

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

CREATE OR REPLACE FUNCTION app.refuse_dependent_approval() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'a % is approved by an independent, confirmed super admin', replace(TG_TABLE_NAME, '_', ' ')
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
-- One person orders what is below the limit, so nobody has decided it.
CREATE TRIGGER distribution_inserted BEFORE INSERT ON distribution FOR EACH ROW
  WHEN (NEW.state = 'approved' AND NEW.decided_by_id IS NOT NULL)
  EXECUTE FUNCTION app.refuse_dependent_approval();

-- A hold ends early by another person, now.
CREATE FUNCTION app.refuse_dependent_release() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF app.is_independent(NEW.released_by_id, coalesce((SELECT s.owner_id::text FROM identity.service_token s
      WHERE s.id::text = OLD.changed_by_id), OLD.changed_by_id)) IS NOT TRUE THEN
    RAISE EXCEPTION 'a changed address is released by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  NEW.released_at := now();
  RETURN NEW;
END
$$;
CREATE TRIGGER address_released BEFORE UPDATE OF released_at, released_by_id, released_by ON payout_address_change
  FOR EACH ROW WHEN (NEW.released_at IS NOT NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_dependent_release();

-- Money of an arrival is sent back, or belongs to a pool, by the word of two people. Their names were noted; the id says
-- who confirmed. What a record of the exchange proves takes one person.
ALTER TABLE pool_arrival_decision ADD COLUMN decided_by_id text;
COMMENT ON COLUMN pool_arrival_decision.decided_by_id IS 'Who confirmed it. NULL: before this was recorded, or not confirmed.';
GRANT UPDATE (decided_by_id) ON pool_arrival_decision TO copydesk_app;
CREATE FUNCTION app.refuse_dependent_decision() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'a decision about an arrival is confirmed by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER arrival_decision_inserted BEFORE INSERT ON pool_arrival_decision FOR EACH ROW
  WHEN (NEW.state <> 'proposed' AND NEW.movement_record_id IS NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_dependent_decision();
CREATE TRIGGER arrival_decision_confirmed BEFORE UPDATE OF state ON pool_arrival_decision FOR EACH ROW
  WHEN (NEW.state IN ('sending', 'done') AND NEW.movement_record_id IS NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_dependent_decision();
