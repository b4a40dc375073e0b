-- Written by `npm run generate` from a migrated database. Do not edit.

-- Sums of a shared trader over the providers of a set.
CREATE TABLE trader_in_set (
  set_id integer NOT NULL,
  trader_id uuid NOT NULL,
  community_id uuid NOT NULL,
  aum numeric(28,8),
  aum_read_at timestamptz,
  tab text,
  -- See trader.aum_rank.
  aum_rank double precision NOT NULL
    GENERATED ALWAYS AS (COALESCE(aum::double precision, '-Infinity'::double precision)) STORED,
  reference_sort text NOT NULL,
  handle_sort text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Distinguishes a trader without accounts from one whose AUM was not read yet.
  account_count integer NOT NULL,
  CONSTRAINT trader_in_set_pkey PRIMARY KEY (set_id, trader_id),
  CONSTRAINT trader_in_set_set_id_fkey FOREIGN KEY (set_id) REFERENCES provider_set(id) ON DELETE CASCADE,
  CONSTRAINT trader_in_set_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
);

CREATE INDEX trader_in_set_by_aum ON trader_in_set (set_id, tab, aum_rank DESC, trader_id) INCLUDE (aum);
CREATE INDEX trader_in_set_by_created ON trader_in_set (set_id, created_at, trader_id) INCLUDE (tab);
CREATE INDEX trader_in_set_by_handle ON trader_in_set (set_id, handle_sort, trader_id) INCLUDE (tab);
CREATE INDEX trader_in_set_by_reference ON trader_in_set (set_id, reference_sort, trader_id) INCLUDE (tab);
CREATE INDEX trader_in_set_by_trader ON trader_in_set (trader_id);
CREATE INDEX trader_in_set_of_any_tab ON trader_in_set (set_id, aum_rank DESC, trader_id);

ALTER TABLE trader_in_set ENABLE ROW LEVEL SECURITY;
ALTER TABLE trader_in_set FORCE ROW LEVEL SECURITY;
CREATE POLICY trader_in_set_scope ON trader_in_set FOR ALL
  USING ((SELECT app.sees_all()) OR set_id = ((SELECT app.provider_set())));

CREATE TRIGGER trader_in_set_added_to_pools AFTER INSERT ON trader_in_set REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.pool_sets_written();
CREATE TRIGGER trader_in_set_removed_from_pools AFTER DELETE ON trader_in_set REFERENCING OLD TABLE AS taken
  FOR EACH STATEMENT EXECUTE FUNCTION app.pool_sets_written();
