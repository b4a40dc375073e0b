-- "Allow once": a payout above the largest amount is ordered with two further super admins, where there are two.
ALTER TABLE distribution
  ADD COLUMN is_above_maximum boolean NOT NULL DEFAULT false,
  ADD COLUMN first_approved_by_id text,
  ADD COLUMN first_approved_by text,
  ADD COLUMN first_approved_at timestamptz,
  ADD CONSTRAINT distribution_first_approval CHECK ((first_approved_by_id IS NULL) = (first_approved_by IS NULL)
    AND (first_approved_by_id IS NULL) = (first_approved_at IS NULL)
    AND (first_approved_by_id IS NULL OR is_above_maximum)) NOT VALID;
COMMENT ON COLUMN distribution.is_above_maximum IS
  'A payout of it is above the largest one: it takes two further super admins, and the workers let it pass once.';
COMMENT ON COLUMN distribution.first_approved_by_id IS
  'The first of the two; the second decides it. NULL: nobody yet, or it takes one at most.';
GRANT UPDATE (first_approved_by_id, first_approved_by, first_approved_at) ON distribution TO copydesk_app;

-- Who stands behind a distribution are different people, none of whom another one made. On the worker's machine an
-- operator takes the place of who is missing.
CREATE FUNCTION app.refuse_distribution_approval() RETURNS trigger
  LANGUAGE plpgsql AS $$
DECLARE
  is_operator boolean := current_user = 'copydesk_worker' AND NEW.decided_by_id = 'operator';
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.is_above_maximum <> NEW.is_above_maximum OR OLD.first_approved_by_id IS NOT NULL
      AND OLD.first_approved_by_id IS DISTINCT FROM NEW.first_approved_by_id) THEN
    RAISE EXCEPTION 'what a distribution takes does not change' USING ERRCODE = 'integrity_constraint_violation';
  ELSIF NEW.first_approved_by_id IS NOT NULL
      AND app.is_independent(NEW.first_approved_by_id, NEW.requested_by_id) IS NOT TRUE
    OR NEW.state = 'approved' AND NOT is_operator AND (
      (NEW.is_above_maximum OR TG_OP = 'UPDATE' OR NEW.decided_by_id IS NOT NULL)
        AND app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE
      OR NEW.is_above_maximum AND app.is_independent(NEW.decided_by_id, NEW.first_approved_by_id) IS NOT TRUE) THEN
    RAISE EXCEPTION 'a distribution is approved by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
DROP TRIGGER distribution_approved ON distribution;
CREATE TRIGGER distribution_approved
  BEFORE UPDATE OF state, decided_by_id, first_approved_by_id, is_above_maximum ON distribution FOR EACH ROW
  EXECUTE FUNCTION app.refuse_distribution_approval();
DROP TRIGGER distribution_inserted ON distribution;
CREATE TRIGGER distribution_inserted BEFORE INSERT ON distribution FOR EACH ROW
  EXECUTE FUNCTION app.refuse_distribution_approval();
