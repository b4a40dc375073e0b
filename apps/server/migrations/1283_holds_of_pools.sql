-- A pool that is switched off has no money, and its exchange account is free: a trader or another pool may connect it.
-- A pool that waits for its approval holds its account, or its connection could not be approved.
CREATE OR REPLACE FUNCTION app.pool_account_known() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE account_holder SET held_until = now()
  WHERE pooled_account_id = NEW.id AND held_until IS NULL AND held_from < now();
  DELETE FROM account_holder WHERE pooled_account_id = NEW.id AND held_until IS NULL;
  IF NEW.bybit_uid IS NOT NULL AND (NEW.is_active OR NOT NEW.is_approved) THEN
    -- Switched on again, it holds the account from now on: what happened there meanwhile is not its own.
    PERFORM app.hold_account('bybit', NEW.bybit_uid,
      CASE WHEN TG_OP = 'UPDATE' AND NEW.bybit_uid IS NOT DISTINCT FROM OLD.bybit_uid THEN now() ELSE NEW.created_at END,
      NULL, NEW.id);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
DROP TRIGGER pool_account_held ON pooled_account;
CREATE TRIGGER pool_account_held AFTER UPDATE OF bybit_uid, is_active, is_approved ON pooled_account FOR EACH ROW
  WHEN (OLD.bybit_uid IS DISTINCT FROM NEW.bybit_uid
    OR (OLD.is_active OR NOT OLD.is_approved) <> (NEW.is_active OR NOT NEW.is_approved))
  EXECUTE FUNCTION app.pool_account_known();

-- account_holder_alone keeps accounts apart, and with them their keys: a key is of one account, which the exchange names.
ALTER TABLE pooled_account DROP CONSTRAINT pooled_account_uid_once;
DROP INDEX pool_key_once;
