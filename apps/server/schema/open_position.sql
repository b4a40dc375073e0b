-- Written by `npm run generate` from a migrated database. Do not edit.

-- Open positions, as last read from the exchange.
CREATE TABLE open_position (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  account_id uuid NOT NULL,
  trader_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  symbol text NOT NULL,
  side text NOT NULL,
  entry_price numeric NOT NULL,
  mark_price numeric,
  leverage numeric,
  contracts numeric NOT NULL,
  unrealized_pnl numeric,
  opened_at timestamptz,
  read_at timestamptz NOT NULL,
  CONSTRAINT open_position_account_id_fkey FOREIGN KEY (account_id) REFERENCES exchange_account(id) ON DELETE CASCADE,
  CONSTRAINT open_position_pkey PRIMARY KEY (id),
  CONSTRAINT open_position_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT open_position_side_check CHECK (side = ANY (ARRAY['long', 'short'])),
  CONSTRAINT open_position_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id)
);

CREATE INDEX open_position_by_account ON open_position (account_id);
CREATE INDEX open_position_by_provider ON open_position (provider_id);
CREATE INDEX open_position_by_trader ON open_position (trader_id);

ALTER TABLE open_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE open_position FORCE ROW LEVEL SECURITY;
CREATE POLICY open_position_scope ON open_position FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
