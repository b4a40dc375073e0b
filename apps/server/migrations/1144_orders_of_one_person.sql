-- What one person alone ordered is added up again by the worker, before it signs, from rows that the API cannot write.

-- Whoever pays an order of another person again approves it with that.
ALTER TABLE payout ADD COLUMN approved_by_id text;
COMMENT ON COLUMN payout.approved_by_id IS
  'Who approved that it is paid again, beyond what its orderer may order alone. NULL: nobody had to.';
GRANT UPDATE (approved_by_id) ON payout TO copydesk_app;

CREATE FUNCTION app.refuse_dependent_retry() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF app.is_independent(NEW.approved_by_id, NEW.ordered_by_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'a payout is approved by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER payout_approved BEFORE INSERT OR UPDATE OF approved_by_id, ordered_by_id ON payout FOR EACH ROW
  WHEN (app.is_api() AND NEW.approved_by_id IS NOT NULL) EXECUTE FUNCTION app.refuse_dependent_retry();

-- The bounds of workers are among the defaults that they note: one table says what their environment gives.
-- compatible: workers and the API are installed together, and a worker notes its defaults before it publishes bounds
DROP TABLE worker_bounds;
