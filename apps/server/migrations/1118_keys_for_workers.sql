-- Keys of pools are sealed to a public key of the workers. Rows of before are sealed anew by the first worker that starts.
ALTER TABLE pool_key ADD COLUMN recipient text CHECK (recipient ~ '^age1[0-9a-z]{58}$');
COMMENT ON COLUMN pool_key.recipient IS
  'The public key that the value is sealed to. NULL: a version before sealed it under the master key.';
ALTER TABLE pool_key ALTER COLUMN wrapped_key DROP NOT NULL, ALTER COLUMN master_key_id DROP NOT NULL;
ALTER TABLE pool_key ADD CONSTRAINT pool_key_sealed_once CHECK (
  (recipient IS NULL) = (wrapped_key IS NOT NULL) AND (wrapped_key IS NULL) = (master_key_id IS NULL)) NOT VALID;
COMMENT ON TABLE pool_key IS
  'The encrypted key of a pool''s exchange account, one row a field. Only workers open it.';
-- compatible: an API of the version before cannot use the key of a pool until it is restarted
REVOKE ALL ON pool_key FROM copydesk_app;
GRANT SELECT (pooled_account_id, field) ON pool_key TO copydesk_app;
GRANT SELECT, UPDATE (ciphertext, wrapped_key, master_key_id, recipient) ON pool_key TO copydesk_worker;

-- What a call needs to know from the exchange of a pool: the API asks, and a worker answers.
CREATE TABLE pool_exchange_request (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('connection', 'replacement', 'description', 'check', 'withdrawal', 'address')),
  -- No references: the pool of a connection does not exist yet, and a question keeps nothing from being deleted.
  pooled_account_id uuid NOT NULL,
  community_id uuid,
  api_key bytea CHECK (length(api_key) <= 4096),
  secret_key bytea CHECK (length(secret_key) <= 4096),
  recipient text CHECK (recipient ~ '^age1[0-9a-z]{58}$'),
  api_key_fingerprint bytea CHECK (length(api_key_fingerprint) = 32),
  secret_key_fingerprint bytea CHECK (length(secret_key_fingerprint) = 32),
  requested_by text NOT NULL DEFAULT app.caller(),
  requested_at timestamptz NOT NULL DEFAULT now(),
  claimed_until timestamptz,
  answered_at timestamptz,
  account jsonb,
  uid text,
  address text CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  refusal text CHECK (refusal ~ '^[a-z_]+$'),
  problem text CHECK (problem ~ '^[a-z_]+$'),
  is_retryable boolean,
  used_at timestamptz,
  CONSTRAINT pool_exchange_request_key CHECK (
    (kind IN ('connection', 'replacement')) = (api_key IS NOT NULL) AND (api_key IS NULL) = (secret_key IS NULL)
    AND (api_key IS NULL) = (recipient IS NULL) AND (api_key IS NULL) = (api_key_fingerprint IS NULL)
    AND (api_key IS NULL) = (secret_key_fingerprint IS NULL) AND (kind = 'connection') = (community_id IS NOT NULL)),
  CONSTRAINT pool_exchange_request_answer CHECK (
    (problem IS NULL) = (is_retryable IS NULL) AND (answered_at IS NOT NULL OR (account IS NULL AND uid IS NULL
    AND address IS NULL AND refusal IS NULL AND problem IS NULL AND used_at IS NULL)))
);
COMMENT ON TABLE pool_exchange_request IS
  'A question to the exchange of a pool, which a worker answers: the API opens no key of a pool. Answers have no secret. Removed after a quarter of an hour.';
COMMENT ON COLUMN pool_exchange_request.pooled_account_id IS 'Of a connection: the id that the pool will have.';
COMMENT ON COLUMN pool_exchange_request.api_key IS
  'The new key, sealed for its place in pool_key. The answer is about this one, and no other is stored.';
COMMENT ON COLUMN pool_exchange_request.claimed_until IS
  'Until then a worker asks the exchange; another takes over after that.';
COMMENT ON COLUMN pool_exchange_request.account IS 'What the exchange says about the key.';
COMMENT ON COLUMN pool_exchange_request.refusal IS 'Why a key must not be a pool''s; NULL: it may.';
COMMENT ON COLUMN pool_exchange_request.problem IS 'Why the exchange did not answer; NULL: it did.';
COMMENT ON COLUMN pool_exchange_request.used_at IS 'A pool was connected, or its key replaced, by this answer: once.';

CREATE INDEX pool_exchange_request_open ON pool_exchange_request (requested_at) WHERE answered_at IS NULL;
-- For their removal.
CREATE INDEX pool_exchange_request_by_time ON pool_exchange_request (requested_at);

ALTER TABLE pool_exchange_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_exchange_request FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_exchange_request_scope ON pool_exchange_request USING ((SELECT app.sees_all()));
REVOKE ALL ON pool_exchange_request FROM copydesk_app;
GRANT SELECT (id, answered_at, account, uid, address, refusal, problem, is_retryable),
  INSERT (id, kind, pooled_account_id, community_id, api_key, secret_key, recipient, api_key_fingerprint,
    secret_key_fingerprint) ON pool_exchange_request TO copydesk_app;
GRANT SELECT, UPDATE (claimed_until, answered_at, account, uid, address, refusal, problem, is_retryable), DELETE
  ON pool_exchange_request TO copydesk_worker;
CREATE TRIGGER pool_exchange_requested AFTER INSERT ON pool_exchange_request FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();

-- The answer to a question that the caller asked: a key without a fault, within five minutes, once.
CREATE FUNCTION app.use_pool_answer(request uuid, wanted text) RETURNS pool_exchange_request LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
DECLARE
  answer pool_exchange_request;
BEGIN
  UPDATE pool_exchange_request r SET used_at = now()
  WHERE r.id = request AND r.kind = wanted AND r.requested_by = app.caller() AND r.used_at IS NULL
    AND r.answered_at > now() - interval '5 minutes' AND r.problem IS NULL AND r.refusal IS NULL AND r.uid IS NOT NULL
  RETURNING * INTO answer;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the request % has no answer that can be used', request
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN answer;
END
$$;
CREATE FUNCTION app.store_pool_key(answer pool_exchange_request) RETURNS void LANGUAGE sql
  SET search_path = public, pg_temp AS $$
  INSERT INTO pool_key (pooled_account_id, field, ciphertext, recipient, fingerprint) VALUES
    (answer.pooled_account_id, 'api_key', answer.api_key, answer.recipient, answer.api_key_fingerprint),
    (answer.pooled_account_id, 'secret_key', answer.secret_key, answer.recipient, answer.secret_key_fingerprint);
$$;

CREATE FUNCTION app.connect_pool(request uuid, minimum_units numeric, basis text, bot boolean) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  answer pool_exchange_request := app.use_pool_answer(request, 'connection');
BEGIN
  INSERT INTO pooled_account (id, community_id, minimum_deposit_units, fee_basis, has_bot, is_active, is_approved,
    bybit_uid, bybit_address_read, bybit_address_read_at)
  VALUES (answer.pooled_account_id, answer.community_id, minimum_units, basis, bot, false, false,
    answer.uid, answer.address, CASE WHEN answer.address IS NOT NULL THEN now() END);
  INSERT INTO harvest_cycle (pooled_account_id, cycle_number) VALUES (answer.pooled_account_id, 1);
  PERFORM app.store_pool_key(answer);
  RETURN answer.pooled_account_id;
END
$$;
COMMENT ON FUNCTION app.connect_pool(uuid, numeric, text, boolean) IS
  'Stores a pool with the account, the address and the key that a worker described, inactive and not approved.';
CREATE FUNCTION app.replace_pool_key(request uuid) RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  answer pool_exchange_request := app.use_pool_answer(request, 'replacement');
BEGIN
  PERFORM 1 FROM pooled_account p WHERE p.id = answer.pooled_account_id AND p.bybit_uid = answer.uid;
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
COMMENT ON FUNCTION app.replace_pool_key(uuid) IS
  'Stores another key of the same exchange account, as a worker described it.';
GRANT EXECUTE ON FUNCTION app.connect_pool(uuid, numeric, text, boolean), app.replace_pool_key(uuid) TO copydesk_app;

-- What is read at an exchange is written by workers.
-- compatible: an API of the version before cannot connect pools, nor start or stop harvests, until it is restarted
REVOKE INSERT, UPDATE, DELETE ON pool_evidence, pool_movement, pool_position, pool_exchange_read FROM copydesk_app;
GRANT INSERT ON pool_evidence, pool_position TO copydesk_worker;
GRANT INSERT, UPDATE ON pool_movement, pool_exchange_read TO copydesk_worker;
-- compatible: as above
REVOKE INSERT (id, community_id, minimum_deposit_units, fee_basis, has_bot, is_active, bybit_uid, bybit_address_read,
    bybit_address_read_at),
  UPDATE (bybit_address_read, bybit_address_read_at, positions_read_until) ON pooled_account FROM copydesk_app;
GRANT UPDATE (bybit_address_read, bybit_address_read_at, positions_read_until) ON pooled_account TO copydesk_worker;
