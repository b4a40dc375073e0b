-- Sums and texts of traders follow once for a statement, and not for each of its rows: 10,000 renames in one statement
-- ran 20,000 refreshes. A trigger with transition tables takes no list of columns, so it compares them. Equity changes
-- all the time and touches none of them: the comparison is all that it costs.
DROP TRIGGER text_written ON trader;
DROP TRIGGER text_written ON exchange_account;
DROP FUNCTION app.trader_text_written();
DROP TRIGGER trader_written ON trader;

CREATE FUNCTION app.trader_texts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  changed uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id) INTO changed FROM new_traders;
  ELSE
    SELECT array_agg(n.id) INTO changed FROM new_traders n JOIN old_traders o USING (id)
    WHERE (n.reference_number, n.name, n.telegram_username, n.telegram_user_id, n.email, n.deposit_address,
        n.external_wallet_address)
      IS DISTINCT FROM (o.reference_number, o.name, o.telegram_username, o.telegram_user_id, o.email,
        o.deposit_address, o.external_wallet_address);
  END IF;
  IF changed IS NOT NULL AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_trader_text(changed);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER texts_inserted AFTER INSERT ON trader REFERENCING NEW TABLE AS new_traders
  FOR EACH STATEMENT EXECUTE FUNCTION app.trader_texts_written();
CREATE TRIGGER texts_updated AFTER UPDATE ON trader REFERENCING OLD TABLE AS old_traders NEW TABLE AS new_traders
  FOR EACH STATEMENT EXECUTE FUNCTION app.trader_texts_written();

CREATE FUNCTION app.account_texts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  changed uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO changed FROM new_accounts;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO changed FROM old_accounts;
  ELSE
    -- An account that moves changes the texts of both traders.
    SELECT array_agg(DISTINCT moved) INTO changed
    FROM new_accounts n JOIN old_accounts o USING (id) CROSS JOIN LATERAL (VALUES (n.trader_id), (o.trader_id)) v (moved)
    WHERE (n.trader_id, n.provider_id, n.acc_uid, n.master_address, n.agent_address, n.removed_at)
      IS DISTINCT FROM (o.trader_id, o.provider_id, o.acc_uid, o.master_address, o.agent_address, o.removed_at);
  END IF;
  IF changed IS NOT NULL AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_trader_text(changed);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER texts_inserted AFTER INSERT ON exchange_account REFERENCING NEW TABLE AS new_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.account_texts_written();
CREATE TRIGGER texts_deleted AFTER DELETE ON exchange_account REFERENCING OLD TABLE AS old_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.account_texts_written();
CREATE TRIGGER texts_updated AFTER UPDATE ON exchange_account
  REFERENCING OLD TABLE AS old_accounts NEW TABLE AS new_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.account_texts_written();

CREATE OR REPLACE FUNCTION app.trader_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  changed uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id) INTO changed FROM new_traders;
  ELSE
    SELECT array_agg(n.id) INTO changed FROM new_traders n JOIN old_traders o USING (id)
    WHERE (n.status, n.community_id, n.selected_provider_id, n.reference_number, n.name, n.email, n.telegram_username,
        n.telegram_user_id, n.language, n.external_wallet_address, n.referral_code, n.referred_by_trader_id)
      IS DISTINCT FROM (o.status, o.community_id, o.selected_provider_id, o.reference_number, o.name, o.email,
        o.telegram_username, o.telegram_user_id, o.language, o.external_wallet_address, o.referral_code,
        o.referred_by_trader_id);
  END IF;
  IF changed IS NOT NULL AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_traders(changed);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER trader_inserted AFTER INSERT ON trader REFERENCING NEW TABLE AS new_traders
  FOR EACH STATEMENT EXECUTE FUNCTION app.trader_written();
CREATE TRIGGER trader_updated AFTER UPDATE ON trader REFERENCING OLD TABLE AS old_traders NEW TABLE AS new_traders
  FOR EACH STATEMENT EXECUTE FUNCTION app.trader_written();
