-- How old what is read of the chain is: servers that stand still, or are far behind, answer without an error.
ALTER TABLE chain_cursor ADD COLUMN block_made_at timestamptz;
COMMENT ON COLUMN chain_cursor.block_made_at IS
  'When the last block that was read was made, by the chain. NULL: no block was read since the upgrade.';
