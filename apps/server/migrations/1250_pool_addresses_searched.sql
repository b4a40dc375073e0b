-- A trader is also found by its deposit addresses in pools.
CREATE OR REPLACE FUNCTION app.refresh_trader_text(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM trader_text WHERE trader_ids IS NULL OR trader_id = ANY (trader_ids);
  INSERT INTO trader_text (trader_id, provider_id, kind, value)
  SELECT t.id, NULL::uuid, 'reference', t.reference_sort FROM trader t
  WHERE t.reference_number IS NOT NULL AND (trader_ids IS NULL OR t.id = ANY (trader_ids))
  UNION ALL
  SELECT t.id, NULL::uuid, 'person', lower(concat_ws(E'\n', t.name, t.telegram_username, t.telegram_user_id, t.email,
    t.deposit_address, t.external_wallet_address,
    (SELECT string_agg(m.deposit_address, E'\n') FROM pool_member m WHERE m.trader_id = t.id))) FROM trader t
  WHERE trader_ids IS NULL OR t.id = ANY (trader_ids)
  UNION ALL
  SELECT a.trader_id, a.provider_id, 'account', lower(concat_ws(E'\n', a.acc_uid, a.master_address, a.agent_address))
  FROM exchange_account a
  WHERE a.removed_at IS NULL AND (trader_ids IS NULL OR a.trader_id = ANY (trader_ids));
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

CREATE FUNCTION app.member_address_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT app.bulk_loading() THEN
    PERFORM app.refresh_trader_text(ARRAY[NEW.trader_id]);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER text_written AFTER INSERT OR UPDATE OF deposit_address ON pool_member
  FOR EACH ROW WHEN (NEW.deposit_address IS NOT NULL) EXECUTE FUNCTION app.member_address_written();

SELECT app.refresh_trader_text(array_agg(DISTINCT trader_id)) FROM pool_member WHERE deposit_address IS NOT NULL
HAVING count(*) > 0;
