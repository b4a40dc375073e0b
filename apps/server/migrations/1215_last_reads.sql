-- What closed before an account is removed is owed: its key is kept for one more read, up to the removal.
ALTER TABLE account_reading ADD COLUMN last_read_until timestamptz,
  ADD COLUMN unread_since timestamptz, ADD COLUMN unread_until timestamptz,
  ADD CONSTRAINT account_reading_unread CHECK ((unread_since IS NULL) = (unread_until IS NULL)) NOT VALID;
COMMENT ON COLUMN account_reading.last_read_until IS
  'The account was removed then, and its closed positions up to then are still to be read. NULL: nothing is to be read for the last time.';
COMMENT ON COLUMN account_reading.unread_since IS
  'With unread_until, the time of which closed positions of a removed account were never read.';
ALTER TABLE exchange_credential ADD COLUMN kept_for_last_read boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN exchange_credential.kept_for_last_read IS
  'Its account was removed: it opens for the last read only, and is destroyed after it.';

-- Deleting a trader would forget what is still to be read of it, or was never read.
CREATE OR REPLACE FUNCTION app.trader_removed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids)
  VALUES ('trader', OLD.id, ARRAY(SELECT provider_id FROM trader_provider WHERE trader_id = OLD.id));
  DELETE FROM closed_position_day d
  USING exchange_account a
  WHERE a.id = d.account_id AND a.trader_id = OLD.id AND a.removed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM closed_position c WHERE c.account_id = a.id);
  DELETE FROM exchange_account a
  WHERE a.trader_id = OLD.id AND a.removed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM closed_position c WHERE c.account_id = a.id)
    AND NOT EXISTS (SELECT FROM account_reading r WHERE r.account_id = a.id
      AND (r.last_read_until IS NOT NULL OR r.unread_until IS NOT NULL));
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN OLD;
END
$$;
