-- What the chain knows of the addresses that money goes to. Only workers write it: people decide by it.

CREATE TABLE address_reading (
  chain_id integer NOT NULL,
  address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
  is_contract boolean NOT NULL,
  is_token boolean NOT NULL,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  coin_wei numeric(78,0) NOT NULL CHECK (coin_wei >= 0),
  token_units numeric(78,0) NOT NULL CHECK (token_units >= 0),
  is_used boolean NOT NULL GENERATED ALWAYS AS (is_contract OR nonce > 0 OR coin_wei > 0 OR token_units > 0) STORED,
  block_number bigint NOT NULL,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (address, chain_id)
);
COMMENT ON TABLE address_reading IS
  'What the chain knows of addresses that people entered, as of one block. Information for whoever releases or approves; only a token contract is refused.';
COMMENT ON COLUMN address_reading.is_token IS 'It answers like a contract of tokens (ERC-20): what is paid to it is lost.';
COMMENT ON COLUMN address_reading.is_used IS
  'Whether there is any trace of it: a contract, a transaction of its own, coin, or the token. Tokens that it had and passed on without coin leave none.';
REVOKE INSERT, UPDATE, DELETE ON address_reading FROM copydesk_app;
GRANT INSERT, UPDATE ON address_reading TO copydesk_worker;
ALTER TABLE address_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE address_reading FORCE ROW LEVEL SECURITY;
CREATE POLICY address_reading_scope ON address_reading FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

-- A worker reads what was entered at once.
CREATE TRIGGER address_entered AFTER INSERT OR UPDATE OF address ON payout_address_change
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

-- A contract of tokens is nobody's wallet.
CREATE FUNCTION app.refuse_token_contract() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM address_reading r WHERE r.address = lower(NEW.address) AND r.is_token) THEN
    RAISE EXCEPTION 'a contract of tokens is not paid' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER address_released_is_no_token BEFORE UPDATE OF released_at, released_by_id, released_by
  ON payout_address_change FOR EACH ROW WHEN (NEW.released_at IS NOT NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_token_contract();
