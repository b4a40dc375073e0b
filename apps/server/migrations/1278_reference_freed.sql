-- A trader that has the reference number of an older one in other letters is the one that the number belongs to, once
-- the older one has left it.
CREATE OR REPLACE FUNCTION app.reference_compared() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  NEW.reference_clash := TG_OP = 'UPDATE' AND OLD.reference_clash AND NEW.reference_clash
    AND NEW.reference_number = OLD.reference_number;
  RETURN NEW;
END
$$;

CREATE FUNCTION app.reference_freed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE trader SET reference_clash = false
  WHERE id = (SELECT t.id FROM trader t WHERE t.reference_sort = OLD.reference_sort AND t.reference_clash
    ORDER BY t.created_at, t.id LIMIT 1)
    AND NOT EXISTS (SELECT FROM trader t WHERE t.reference_sort = OLD.reference_sort AND t.reference_number IS NOT NULL
      AND NOT t.reference_clash);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER reference_changed AFTER UPDATE OF reference_number ON trader FOR EACH ROW
  WHEN (OLD.reference_number IS NOT NULL AND NEW.reference_number IS DISTINCT FROM OLD.reference_number)
  EXECUTE FUNCTION app.reference_freed();
CREATE TRIGGER reference_left AFTER DELETE ON trader FOR EACH ROW WHEN (OLD.reference_number IS NOT NULL)
  EXECUTE FUNCTION app.reference_freed();

SET LOCAL copydesk.bulk = 'on';
UPDATE trader t SET reference_clash = false
FROM (SELECT DISTINCT ON (reference_sort) id, reference_sort FROM trader WHERE reference_clash
      ORDER BY reference_sort, created_at, id) r
WHERE r.id = t.id AND NOT EXISTS (SELECT FROM trader o
  WHERE o.reference_sort = r.reference_sort AND o.reference_number IS NOT NULL AND NOT o.reference_clash);

-- compatible: the version before lists differences by a scan without it, and only for super admins
DROP INDEX closed_position_differing;

-- Messages of a run are those that it wrote, also when two runs are at work at once.
ALTER TABLE message ADD COLUMN invoicing_run_id uuid;
COMMENT ON COLUMN message.invoicing_run_id IS 'The run that issued its invoice; NULL: none, or one of before.';
