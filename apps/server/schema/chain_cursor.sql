-- Written by `npm run generate` from a migrated database. Do not edit.

-- How far the deposit loop has read the chain.
CREATE TABLE chain_cursor (
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  -- The last final block whose transfers are booked. Reading stops when the chain reports another block_hash for it.
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  -- Why reading is stopped; set as long as it is.
  stopped_because text,
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Whether a person must clear the reason. Otherwise the next range that is read clears it.
  needs_review boolean NOT NULL DEFAULT false,
  -- The block after which reading began. NULL: not known.
  first_block bigint,
  -- The last block that the nightly second reading has read. NULL: it begins where reading is.
  reread_to bigint,
  -- When the last block that was read was made, by the chain. NULL: no block was read since the upgrade.
  block_made_at timestamptz,
  CONSTRAINT chain_cursor_block_hash_check CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
  CONSTRAINT chain_cursor_block_number_check CHECK (block_number >= 0),
  CONSTRAINT chain_cursor_pkey PRIMARY KEY (chain_id, token_address),
  CONSTRAINT chain_cursor_review CHECK (NOT needs_review OR stopped_because IS NOT NULL),
  CONSTRAINT chain_cursor_token_address_check CHECK (token_address ~ '^0x[0-9a-f]{40}$')
);

ALTER TABLE chain_cursor ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_cursor FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_cursor_scope ON chain_cursor FOR ALL
  USING ((SELECT app.sees_all()));
