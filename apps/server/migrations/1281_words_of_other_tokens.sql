-- What a contract says of itself is asked for until it was answered: a server may fail, and anyone can send more new
-- tokens than are asked in a turn.
ALTER TABLE other_token ADD COLUMN ask_at timestamptz DEFAULT now(), ADD COLUMN asks integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN other_token.ask_at IS 'When its contract is asked for its words; NULL: it was, or was asked often enough.';
UPDATE other_token SET ask_at = NULL WHERE symbol IS NOT NULL AND decimals IS NOT NULL;
GRANT UPDATE (symbol, decimals, ask_at, asks) ON other_token TO copydesk_worker;
