-- Written by `npm run generate` from a migrated database. Do not edit.

-- What the chain knows of addresses that people entered, as of one block. Information for whoever releases or
-- approves; only a token contract is refused.
CREATE TABLE address_reading (
  chain_id integer NOT NULL,
  address text NOT NULL,
  is_contract boolean NOT NULL,
  -- It answers like a contract of tokens (ERC-20): what is paid to it is lost.
  is_token boolean NOT NULL,
  nonce bigint NOT NULL,
  coin_wei numeric(78,0) NOT NULL,
  token_units numeric(78,0) NOT NULL,
  -- Whether there is any trace of it: a contract, a transaction of its own, coin, or the token. Tokens that it had
  -- and passed on without coin leave none.
  is_used boolean NOT NULL
    GENERATED ALWAYS AS (is_contract OR nonce > 0 OR coin_wei > 0::numeric OR token_units > 0::numeric) STORED,
  block_number bigint NOT NULL,
  read_at timestamptz NOT NULL,
  CONSTRAINT address_reading_address_check CHECK (address ~ '^0x[0-9a-f]{40}$'),
  CONSTRAINT address_reading_coin_wei_check CHECK (coin_wei >= 0::numeric),
  CONSTRAINT address_reading_nonce_check CHECK (nonce >= 0),
  CONSTRAINT address_reading_pkey PRIMARY KEY (address, chain_id),
  CONSTRAINT address_reading_token_units_check CHECK (token_units >= 0::numeric)
);

ALTER TABLE address_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE address_reading FORCE ROW LEVEL SECURITY;
CREATE POLICY address_reading_scope ON address_reading FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
