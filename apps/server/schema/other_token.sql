-- Written by `npm run generate` from a migrated database. Do not edit.

-- Contracts of tokens of which some reached an address of ours. What they say of themselves proves nothing.
CREATE TABLE other_token (
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  symbol text,
  decimals integer,
  -- When its contract is asked for its words; NULL: it was, or was asked often enough.
  ask_at timestamptz DEFAULT now(),
  asks integer NOT NULL DEFAULT 0,
  CONSTRAINT other_token_decimals_check CHECK (decimals >= 0 AND decimals <= 36),
  CONSTRAINT other_token_pkey PRIMARY KEY (chain_id, token_address),
  CONSTRAINT other_token_symbol_check CHECK (symbol <> '' AND length(symbol) <= 16),
  CONSTRAINT other_token_token_address_check CHECK (token_address ~ '^0x[0-9a-f]{40}$')
);

CREATE INDEX other_token_to_ask ON other_token (chain_id, ask_at) WHERE ask_at IS NOT NULL;

ALTER TABLE other_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE other_token FORCE ROW LEVEL SECURITY;
CREATE POLICY other_token_scope ON other_token FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
