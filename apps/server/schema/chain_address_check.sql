-- Written by `npm run generate` from a migrated database. Do not edit.

-- When the balance of each address of ours was last compared with the chain: all of them once a day.
CREATE TABLE chain_address_check (
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  address text NOT NULL,
  -- The last block up to which no transfer is missing. A search begins there. NULL: none is known.
  block_number bigint,
  -- What the chain had there beyond the ledger, none of it by a transfer that can be booked.
  surplus_units numeric(38,0),
  checked_at timestamptz NOT NULL,
  CONSTRAINT chain_address_check_check CHECK (token_address ~ '^0x[0-9a-f]{40}$' AND address ~ '^0x[0-9a-f]{40}$'),
  CONSTRAINT chain_address_check_check1 CHECK ((block_number IS NULL) = (surplus_units IS NULL)),
  CONSTRAINT chain_address_check_pkey PRIMARY KEY (chain_id, token_address, address),
  CONSTRAINT chain_address_check_surplus_units_check CHECK (surplus_units >= 0::numeric)
);

ALTER TABLE chain_address_check ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_address_check FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_address_check_scope ON chain_address_check FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
