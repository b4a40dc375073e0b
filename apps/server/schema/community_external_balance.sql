-- Written by `npm run generate` from a migrated database. Do not edit.

-- The balance of a community's own wallet, as last read from the chain. The ledger does not include it, and only the
-- worker reads the chain.
CREATE TABLE community_external_balance (
  community_id uuid NOT NULL,
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  -- The address that was read, so that a balance is never shown for another one.
  address text NOT NULL,
  -- Any ERC-20 amount (256 bits): the wallet is not ours, and the ledger never adds it up.
  balance_units numeric(78,0) NOT NULL,
  block_number bigint NOT NULL,
  read_at timestamptz NOT NULL,
  CONSTRAINT community_external_balance_address_check CHECK (address ~ '^0x[0-9a-f]{40}$'),
  CONSTRAINT community_external_balance_balance_units_check CHECK (balance_units >= 0::numeric),
  CONSTRAINT community_external_balance_block_number_check CHECK (block_number >= 0),
  CONSTRAINT community_external_balance_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
    ON DELETE CASCADE,
  CONSTRAINT community_external_balance_pkey PRIMARY KEY (community_id),
  CONSTRAINT community_external_balance_token_address_check CHECK (token_address ~ '^0x[0-9a-f]{40}$')
);

ALTER TABLE community_external_balance ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_external_balance FORCE ROW LEVEL SECURITY;
CREATE POLICY community_external_balance_scope ON community_external_balance FOR ALL
  USING ((SELECT app.sees_all()));
