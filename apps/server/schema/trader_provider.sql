-- Written by `npm run generate` from a migrated database. Do not edit.

-- The providers that see a trader (its selected one, and those of its accounts), with the sums that each may see.
-- Kept by app.refresh_traders; scope, tabs and balances of staff read nothing else.
CREATE TABLE trader_provider (
  trader_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  account_count integer NOT NULL,
  aum numeric(28,8),
  aum_read_at timestamptz,
  -- That of the trader, whose accounts may be under other providers.
  tab text,
  -- Whether other providers see the trader as well. Staff with several providers need sums of these traders only.
  is_shared boolean NOT NULL,
  -- Copied from the trader: sums of staff by community would otherwise look up each trader, once for its community
  -- and once for its policy (79,000 traders of three providers: 0.8 s; with this 0.06 s).
  community_id uuid NOT NULL,
  -- See trader.aum_rank.
  aum_rank double precision NOT NULL
    GENERATED ALWAYS AS (COALESCE(aum::double precision, '-Infinity'::double precision)) STORED,
  -- Copied from the trader, like handle_sort and created_at. Without them, lists of staff by reference number, name
  -- or age walked all traders and looked each up: a page 10,000 rows deep took 0.2 s at 100,000 traders, and the
  -- count of a search in all reference numbers 0.3 s.
  reference_sort text NOT NULL,
  handle_sort text NOT NULL,
  created_at timestamptz NOT NULL,
  -- That of the trader, part of aum: every provider that sees a trader sees its virtual balances. A sum over several
  -- providers counts it once.
  pool_capital numeric(28,8) NOT NULL DEFAULT 0,
  CONSTRAINT trader_provider_pkey PRIMARY KEY (trader_id, provider_id),
  CONSTRAINT trader_provider_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT trader_provider_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
);

CREATE INDEX trader_provider_alone ON trader_provider (provider_id, tab, aum_rank DESC, trader_id)
  INCLUDE (aum, account_count, community_id) WHERE NOT is_shared;
CREATE INDEX trader_provider_by_aum ON trader_provider (provider_id, tab, aum_rank DESC, trader_id)
  INCLUDE (aum, account_count, community_id);
CREATE INDEX trader_provider_by_created ON trader_provider (provider_id, created_at, trader_id)
  INCLUDE (tab, is_shared);
CREATE INDEX trader_provider_by_handle ON trader_provider (provider_id, handle_sort, trader_id)
  INCLUDE (tab, is_shared);
CREATE INDEX trader_provider_by_reference ON trader_provider (provider_id, reference_sort, trader_id)
  INCLUDE (tab, is_shared);
CREATE INDEX trader_provider_of_any_tab ON trader_provider (provider_id, aum_rank DESC, trader_id)
  INCLUDE (tab, is_shared, aum);
CREATE INDEX trader_provider_shared ON trader_provider (trader_id, provider_id) INCLUDE (tab, aum) WHERE is_shared;

ALTER TABLE trader_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE trader_provider FORCE ROW LEVEL SECURITY;
CREATE POLICY trader_provider_scope ON trader_provider FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

CREATE TRIGGER parts_added AFTER INSERT ON trader_provider REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.trader_parts_written();
CREATE TRIGGER parts_changed AFTER UPDATE ON trader_provider REFERENCING OLD TABLE AS taken NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.trader_parts_written();
CREATE TRIGGER parts_taken AFTER DELETE ON trader_provider REFERENCING OLD TABLE AS taken FOR EACH STATEMENT
  EXECUTE FUNCTION app.trader_parts_written();
CREATE TRIGGER trader_provider_added_to_pools AFTER INSERT ON trader_provider REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.pool_providers_written();
CREATE TRIGGER trader_provider_changed_in_pools AFTER UPDATE ON trader_provider
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.pool_providers_written();
CREATE TRIGGER trader_provider_removed_from_pools AFTER DELETE ON trader_provider REFERENCING OLD TABLE AS taken
  FOR EACH STATEMENT EXECUTE FUNCTION app.pool_providers_written();
CREATE TRIGGER trader_seen BEFORE INSERT ON trader_provider FOR EACH ROW WHEN (new.reference_sort IS NULL)
  EXECUTE FUNCTION app.trader_seen();
