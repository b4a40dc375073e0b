-- Written by `npm run generate` from a migrated database. Do not edit.

-- The last block that was searched for other tokens.
CREATE TABLE other_token_cursor (
  chain_id integer NOT NULL,
  -- The last block that was searched at addresses that owe or moved lately.
  block_number bigint NOT NULL,
  -- The last block that was searched at every address; NULL: no round has begun.
  searched_to bigint,
  -- The last block of the round in progress; NULL: none is.
  searching_to bigint,
  -- The last address of the round that was searched, in lower case.
  after_address text NOT NULL DEFAULT '',
  -- When the last round began.
  round_began_at timestamptz,
  -- A worker searches; another one goes on after this time.
  leased_until timestamptz,
  CONSTRAINT other_token_cursor_pkey PRIMARY KEY (chain_id)
);

ALTER TABLE other_token_cursor ENABLE ROW LEVEL SECURITY;
ALTER TABLE other_token_cursor FORCE ROW LEVEL SECURITY;
CREATE POLICY other_token_cursor_scope ON other_token_cursor FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
