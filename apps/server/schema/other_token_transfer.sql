-- Written by `npm run generate` from a migrated database. Do not edit.

-- Transfers of other tokens to addresses of ours, in final blocks. Read only: nothing follows from them.
CREATE TABLE other_token_transfer (
  chain_id integer NOT NULL,
  transaction_hash text NOT NULL,
  log_index integer NOT NULL,
  token_address text NOT NULL,
  block_number bigint NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount_units numeric(78,0) NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT other_token_transfer_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT other_token_transfer_chain_id_token_address_fkey FOREIGN KEY (chain_id, token_address)
    REFERENCES other_token(chain_id, token_address),
  CONSTRAINT other_token_transfer_pkey PRIMARY KEY (chain_id, transaction_hash, log_index),
  CONSTRAINT other_token_transfer_transaction_hash_check CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$')
);

CREATE INDEX other_token_transfer_newest ON other_token_transfer (created_at DESC, transaction_hash, log_index);

ALTER TABLE other_token_transfer ENABLE ROW LEVEL SECURITY;
ALTER TABLE other_token_transfer FORCE ROW LEVEL SECURITY;
CREATE POLICY other_token_transfer_scope ON other_token_transfer FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
