-- Other tokens that reach addresses of ours are listed for people. They are never booked.
CREATE TABLE other_token (
  chain_id integer NOT NULL,
  token_address text NOT NULL CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  symbol text CHECK (symbol <> '' AND length(symbol) <= 16),
  decimals integer CHECK (decimals BETWEEN 0 AND 36),
  PRIMARY KEY (chain_id, token_address)
);
COMMENT ON TABLE other_token IS 'Contracts of tokens of which some reached an address of ours. What they say of themselves proves nothing.';
CREATE TABLE other_token_transfer (
  chain_id integer NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL,
  token_address text NOT NULL,
  block_number bigint NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount_units numeric(78, 0) NOT NULL CHECK (amount_units > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (chain_id, transaction_hash, log_index),
  FOREIGN KEY (chain_id, token_address) REFERENCES other_token
);
COMMENT ON TABLE other_token_transfer IS 'Transfers of other tokens to addresses of ours, in final blocks. Read only: nothing follows from them.';
CREATE INDEX other_token_transfer_newest ON other_token_transfer (created_at DESC, transaction_hash, log_index);
CREATE TABLE other_token_cursor (
  chain_id integer PRIMARY KEY,
  block_number bigint NOT NULL
);
COMMENT ON TABLE other_token_cursor IS 'The last block that was searched for other tokens.';
-- compatible: the tables are new
REVOKE INSERT, UPDATE, DELETE ON other_token, other_token_transfer, other_token_cursor FROM copydesk_app;
GRANT INSERT ON other_token, other_token_transfer TO copydesk_worker;
GRANT INSERT, UPDATE ON other_token_cursor TO copydesk_worker;
ALTER TABLE other_token ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY other_token_scope ON other_token FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));
ALTER TABLE other_token_transfer ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY other_token_transfer_scope ON other_token_transfer FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));
ALTER TABLE other_token_cursor ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY other_token_cursor_scope ON other_token_cursor FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));
