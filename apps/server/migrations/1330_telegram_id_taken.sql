-- Whether another trader of a community has a Telegram id, whatever the caller sees. No unique index: traders of before
-- may share one. With the owner's rights, because a trader of another provider counts as well; it says no more than that.
CREATE FUNCTION app.telegram_id_taken(in_community uuid, wanted text, besides uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  taken boolean;
BEGIN
  taken := EXISTS (SELECT FROM trader t WHERE t.telegram_user_id = wanted AND t.telegram_user_id <> ''
    AND t.community_id = in_community AND t.id IS DISTINCT FROM besides);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN taken;
END
$$;
GRANT EXECUTE ON FUNCTION app.telegram_id_taken(uuid, text, uuid) TO copydesk_app;
