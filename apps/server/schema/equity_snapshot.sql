-- Written by `npm run generate` from a migrated database. Do not edit.

-- Equity at the end of a day (UTC) as each provider sees it. Figures of communities and providers are sums of these.
-- By month.
CREATE TABLE equity_snapshot (
  trader_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  day date NOT NULL,
  equity numeric(28,8) NOT NULL,
  CONSTRAINT equity_snapshot_pkey PRIMARY KEY (trader_id, provider_id, day),
  CONSTRAINT equity_snapshot_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT equity_snapshot_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
) PARTITION BY RANGE (day);

CREATE INDEX equity_snapshot_by_provider ON equity_snapshot (provider_id, day);

ALTER TABLE equity_snapshot ENABLE ROW LEVEL SECURITY;
ALTER TABLE equity_snapshot FORCE ROW LEVEL SECURITY;
CREATE POLICY equity_snapshot_scope ON equity_snapshot FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
