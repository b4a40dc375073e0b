-- What one person does about an item that needs attention reaches the others at once.

-- compatible: the constraint that follows takes every value of this one
ALTER TABLE change_event
  DROP CONSTRAINT change_event_topic_check,
  ADD CONSTRAINT change_event_topic_check CHECK (topic IN ('trader', 'community', 'provider', 'payout', 'invoice',
    'payment', 'pool', 'stop', 'export', 'bulk_act', 'own_setting', 'attention')) NOT VALID;

CREATE FUNCTION app.announce_mark() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, provider_ids)
  VALUES ('attention', array_remove(ARRAY[NEW.provider_id], NULL));
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION app.announce_mark() IS
  'Announces to those who see an item that somebody did something about it: the list is read again.';
CREATE TRIGGER attention_mark_announced AFTER INSERT OR UPDATE ON attention_mark FOR EACH ROW
  EXECUTE FUNCTION app.announce_mark();
