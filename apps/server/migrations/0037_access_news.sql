-- Every API process remembers for a moment which session and which flags are behind a token. It hears at once when a
-- session ends or flags change, whichever process, job or hand did it: the payload is the user's id.

CREATE FUNCTION app.announce_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('copydesk_access', OLD.user_id::text);
  RETURN NULL;
END
$$;
CREATE TRIGGER session_ended AFTER DELETE ON identity.session
  FOR EACH ROW EXECUTE FUNCTION app.announce_access();
CREATE TRIGGER session_shortened AFTER UPDATE OF expires_at ON identity.session
  FOR EACH ROW WHEN (NEW.expires_at < OLD.expires_at) EXECUTE FUNCTION app.announce_access();
CREATE TRIGGER user_access_changed AFTER UPDATE OR DELETE ON identity.user_access
  FOR EACH ROW EXECUTE FUNCTION app.announce_access();
