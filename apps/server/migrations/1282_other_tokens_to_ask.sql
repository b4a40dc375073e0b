CREATE INDEX CONCURRENTLY other_token_to_ask ON other_token (chain_id, ask_at) WHERE ask_at IS NOT NULL;
