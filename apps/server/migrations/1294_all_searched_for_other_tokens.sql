-- Other tokens are searched for at every address of ours: at those that owe or move within a minute, at all in turn. The
-- turns are kept here, so that a restart leaves no block out and two workers do not search twice.
ALTER TABLE other_token_cursor ADD COLUMN searched_to bigint, ADD COLUMN searching_to bigint,
  ADD COLUMN after_address text NOT NULL DEFAULT '', ADD COLUMN round_began_at timestamptz,
  ADD COLUMN leased_until timestamptz;
COMMENT ON COLUMN other_token_cursor.block_number IS 'The last block that was searched at addresses that owe or moved lately.';
COMMENT ON COLUMN other_token_cursor.searched_to IS 'The last block that was searched at every address; NULL: no round has begun.';
COMMENT ON COLUMN other_token_cursor.searching_to IS 'The last block of the round in progress; NULL: none is.';
COMMENT ON COLUMN other_token_cursor.after_address IS 'The last address of the round that was searched, in lower case.';
COMMENT ON COLUMN other_token_cursor.round_began_at IS 'When the last round began.';
COMMENT ON COLUMN other_token_cursor.leased_until IS 'A worker searches; another one goes on after this time.';
