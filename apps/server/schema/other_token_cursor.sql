-- Written by `npm run generate` from a migrated database. Do not edit.

-- The last block that was searched for other tokens.
CREATE TABLE other_token_cursor (
  chain_id integer NOT NULL,
  block_number bigint NOT NULL,
  CONSTRAINT other_token_cursor_pkey PRIMARY KEY (chain_id)
);

ALTER TABLE other_token_cursor ENABLE ROW LEVEL SECURITY;
ALTER TABLE other_token_cursor FORCE ROW LEVEL SECURITY;
CREATE POLICY other_token_cursor_scope ON other_token_cursor FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
