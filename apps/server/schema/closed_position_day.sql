-- Written by `npm run generate` from a migrated database. Do not edit.

-- Closed positions by account and day (UTC), kept by triggers.
CREATE TABLE closed_position_day (
  account_id uuid NOT NULL,
  day date NOT NULL,
  trader_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  positions integer NOT NULL,
  closed_pnl numeric NOT NULL,
  -- Positions of the day that closed_pnl leaves out.
  unknown_profit integer NOT NULL DEFAULT 0,
  CONSTRAINT closed_position_day_account_id_fkey FOREIGN KEY (account_id) REFERENCES exchange_account(id)
    ON DELETE RESTRICT,
  CONSTRAINT closed_position_day_pkey PRIMARY KEY (account_id, day),
  CONSTRAINT closed_position_day_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT closed_position_day_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
);

CREATE INDEX closed_position_day_by_provider ON closed_position_day (provider_id, day);
CREATE INDEX closed_position_day_by_trader ON closed_position_day (trader_id, day);

ALTER TABLE closed_position_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE closed_position_day FORCE ROW LEVEL SECURITY;
CREATE POLICY closed_position_day_scope ON closed_position_day FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
