-- Whether anything is left of a deduction, so that the list of the open ones does not evaluate all that ever were.
-- In steps: PostgreSQL adds no column with a default to a table whose row type a function takes, from the releases of 2026
-- on.
ALTER TABLE invoice_deduction ADD COLUMN is_open boolean;
ALTER TABLE invoice_deduction ALTER COLUMN is_open SET DEFAULT true;
UPDATE invoice_deduction SET is_open = true;
-- compatible: the column is new, and has a default
ALTER TABLE invoice_deduction ALTER COLUMN is_open SET NOT NULL;
COMMENT ON COLUMN invoice_deduction.is_open IS 'Whether deduction_left is above 0. Kept by triggers.';

-- An invoice uses a part, or gives it back where it is cancelled. The lock comes first, in a statement of its own: the
-- next one sees what a transaction that held it has changed.
CREATE FUNCTION app.deduction_used() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  changed uuid[];
BEGIN
  IF TG_TABLE_NAME = 'invoice' THEN
    changed := ARRAY(SELECT u.deduction_id FROM invoice_deduction_use u WHERE u.invoice_id = NEW.id);
  ELSE
    changed := ARRAY[NEW.deduction_id];
  END IF;
  PERFORM FROM invoice_deduction d WHERE d.id = ANY (changed) ORDER BY d.id FOR NO KEY UPDATE;
  UPDATE invoice_deduction d SET is_open = app.deduction_left(d) > 0
  WHERE d.id = ANY (changed) AND d.is_open <> (app.deduction_left(d) > 0);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER deduction_used AFTER INSERT ON invoice_deduction_use FOR EACH ROW EXECUTE FUNCTION app.deduction_used();
CREATE TRIGGER deduction_given_back AFTER UPDATE OF status ON invoice FOR EACH ROW
  WHEN ((OLD.status = 'cancelled') <> (NEW.status = 'cancelled')) EXECUTE FUNCTION app.deduction_used();

CREATE FUNCTION app.deduction_ended() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  NEW.is_open := app.deduction_left(NEW) > 0;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$$;
CREATE TRIGGER deduction_ended BEFORE UPDATE OF ended_units ON invoice_deduction FOR EACH ROW
  EXECUTE FUNCTION app.deduction_ended();

UPDATE invoice_deduction d SET is_open = false WHERE app.deduction_left(d) <= 0;
