-- Staff do not see the timeline: both read the time of a result here.
ALTER TABLE harvest_cycle ADD COLUMN valued_at timestamptz;
COMMENT ON COLUMN harvest_cycle.valued_at IS 'When the result was decided. NULL: it is not.';
UPDATE harvest_cycle h SET valued_at = coalesce((
    SELECT max(e.at) FROM saga_event e WHERE e.saga = 'harvest' AND e.saga_id = h.id AND e.event = 'valued'), h.ended_at)
WHERE h.result_units IS NOT NULL;

-- The version before does not write it.
CREATE FUNCTION app.note_valued() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp
AS $$
BEGIN
  NEW.valued_at := now();
  RETURN NEW;
END
$$;
CREATE TRIGGER harvest_cycle_valued_at BEFORE UPDATE OF result_units ON harvest_cycle FOR EACH ROW
  WHEN (OLD.result_units IS NULL AND NEW.result_units IS NOT NULL) EXECUTE FUNCTION app.note_valued();
