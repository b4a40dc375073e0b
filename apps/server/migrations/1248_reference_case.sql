-- KAIT-100083 and kait-100083 are one reference number. Traders that have the number of another one in other letters
-- already keep it until it is changed: the oldest of them is the one that the number belongs to.
ALTER TABLE trader ADD COLUMN reference_clash boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN trader.reference_clash IS
  'Whether an older trader had this reference number in other letters before these were compared.';

SET LOCAL copydesk.bulk = 'on';
UPDATE trader t SET reference_clash = true
FROM (SELECT id, row_number() OVER (PARTITION BY reference_sort ORDER BY created_at, id) AS place
      FROM trader WHERE reference_number IS NOT NULL) r
WHERE r.id = t.id AND r.place > 1;

CREATE FUNCTION app.reference_compared() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  NEW.reference_clash := TG_OP = 'UPDATE' AND OLD.reference_clash AND NEW.reference_number = OLD.reference_number;
  RETURN NEW;
END
$$;
CREATE TRIGGER reference_compared BEFORE INSERT OR UPDATE OF reference_number, reference_clash ON trader
  FOR EACH ROW EXECUTE FUNCTION app.reference_compared();
