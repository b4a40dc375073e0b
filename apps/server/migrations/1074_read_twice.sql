-- The first block is where a search for a missed transfer ends.
ALTER TABLE chain_cursor
  ADD COLUMN first_block bigint,
  ADD COLUMN reread_to bigint;
COMMENT ON COLUMN chain_cursor.first_block IS 'The block after which reading began. NULL: not known.';
COMMENT ON COLUMN chain_cursor.reread_to IS
  'The last block that the nightly second reading has read. NULL: it begins where reading is.';

CREATE TABLE chain_address_check (
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  address text NOT NULL,
  block_number bigint,
  surplus_units numeric(38, 0),
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, token_address, address),
  CHECK (token_address ~ '^0x[0-9a-f]{40}$' AND address ~ '^0x[0-9a-f]{40}$'),
  CHECK ((block_number IS NULL) = (surplus_units IS NULL)),
  CHECK (surplus_units >= 0)
);
COMMENT ON TABLE chain_address_check IS
  'When the balance of each address of ours was last compared with the chain: all of them once a day.';
COMMENT ON COLUMN chain_address_check.block_number IS
  'The last block up to which no transfer is missing. A search begins there. NULL: none is known.';
COMMENT ON COLUMN chain_address_check.surplus_units IS
  'What the chain had there beyond the ledger, none of it by a transfer that can be booked.';
ALTER TABLE chain_address_check ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_address_check FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_address_check_scope ON chain_address_check FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
GRANT SELECT, INSERT, UPDATE, DELETE ON chain_address_check TO copydesk_app;

SELECT app.open_scope();
UPDATE chain_cursor c SET reread_to = block_number,
  first_block = least(block_number, (SELECT min(d.block_number) FROM deposit d WHERE d.chain_id = c.chain_id));
