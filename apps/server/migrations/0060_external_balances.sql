-- What a community's own wallet holds, as last read of the chain: the books know nothing of it. Only the worker asks the
-- chain; the address is kept, so that a balance is never shown for another one.

CREATE TABLE community_external_balance (
  community_id uuid PRIMARY KEY REFERENCES community ON DELETE CASCADE,
  chain_id integer NOT NULL,
  token_address text NOT NULL CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
  -- Any ERC-20 amount (256 bits): the wallet is not ours, and the ledger never adds it up.
  balance_units numeric(78, 0) NOT NULL CHECK (balance_units >= 0),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  read_at timestamptz NOT NULL
);
ALTER TABLE community_external_balance ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_external_balance FORCE ROW LEVEL SECURITY;
CREATE POLICY community_external_balance_scope ON community_external_balance USING ((SELECT app.sees_all()));
REVOKE DELETE, TRUNCATE ON community_external_balance FROM copydesk_app;
