-- The key of a pool is found and read at the regional platform of Bybit that knows it, as that of a trader is.
ALTER TABLE pooled_account ADD COLUMN bybit_region text;
ALTER TABLE pooled_account ADD CONSTRAINT pooled_account_bybit_region_check
  CHECK (bybit_region ~ '^[a-z]{2,8}$') NOT VALID;
COMMENT ON COLUMN pooled_account.bybit_region IS
  'The regional platform of Bybit that knows the key, as in kz; null: its main one.';
ALTER TABLE pool_exchange_request ADD COLUMN region text;
ALTER TABLE pool_exchange_request ADD CONSTRAINT pool_exchange_request_region_check
  CHECK (region ~ '^[a-z]{2,8}$') NOT VALID;
COMMENT ON COLUMN pool_exchange_request.region IS
  'The regional platform of Bybit that knows the new key; null: its main one.';
GRANT SELECT (region) ON pool_exchange_request TO copydesk_app;
GRANT UPDATE (region) ON pool_exchange_request TO copydesk_worker;

CREATE OR REPLACE FUNCTION app.connect_pool(request uuid, minimum_units numeric, basis text, bot boolean) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  answer pool_exchange_request := app.use_pool_answer(request, 'connection');
BEGIN
  INSERT INTO pooled_account (id, community_id, minimum_deposit_units, fee_basis, has_bot, is_active, is_approved,
    bybit_uid, bybit_region, bybit_address_read, bybit_address_read_at)
  VALUES (answer.pooled_account_id, answer.community_id, minimum_units, basis, bot, false, false,
    answer.uid, answer.region, answer.address, CASE WHEN answer.address IS NOT NULL THEN now() END);
  INSERT INTO harvest_cycle (pooled_account_id, cycle_number) VALUES (answer.pooled_account_id, 1);
  PERFORM app.store_pool_key(answer);
  RETURN answer.pooled_account_id;
END
$$;
CREATE OR REPLACE FUNCTION app.replace_pool_key(request uuid) RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  answer pool_exchange_request := app.use_pool_answer(request, 'replacement');
BEGIN
  -- Accounts of two platforms may have one number.
  PERFORM 1 FROM pooled_account p WHERE p.id = answer.pooled_account_id AND p.bybit_uid = answer.uid
    AND p.bybit_region IS NOT DISTINCT FROM answer.region;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the key of the request % is of another account', request
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  DELETE FROM pool_key WHERE pooled_account_id = answer.pooled_account_id;
  PERFORM app.store_pool_key(answer);
  -- It is due at once; what the last read found stays until then.
  UPDATE pool_exchange_read SET tried_at = to_timestamp(0) WHERE pooled_account_id = answer.pooled_account_id;
  RETURN answer.pooled_account_id;
END
$$;
