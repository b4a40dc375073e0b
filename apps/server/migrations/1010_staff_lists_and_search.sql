-- Lists of staff with several providers, and search of traders.
--
-- Staff with several providers see sums of the traders and payouts that these providers share, and no index orders a
-- sum computed at query time. Users hold few distinct sets of providers, so each set keeps its sums, of shared rows
-- only. A row that is not shared has one provider and already is its own sum.

CREATE TABLE provider_set (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider_ids uuid[] NOT NULL UNIQUE CHECK (cardinality(provider_ids) > 1)
);
COMMENT ON TABLE provider_set IS 'Sets of several providers that users hold.';
COMMENT ON COLUMN provider_set.provider_ids IS 'In order, without duplicates.';

ALTER TABLE provider_set ENABLE ROW LEVEL SECURITY;
ALTER TABLE provider_set FORCE ROW LEVEL SECURITY;
CREATE POLICY provider_set_scope ON provider_set
  USING ((SELECT app.sees_all()) OR provider_ids <@ (SELECT app.provider_ids())::uuid[]);

-- The set equal to the caller's scope, or NULL when no sums are kept for it.
CREATE FUNCTION app.provider_set() RETURNS integer
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = public, pg_temp
  AS 'SELECT id FROM provider_set WHERE provider_ids = ARRAY(SELECT DISTINCT unnest(app.provider_ids()) ORDER BY 1)';

CREATE TABLE trader_in_set (
  set_id integer NOT NULL REFERENCES provider_set ON DELETE CASCADE,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  community_id uuid NOT NULL,
  aum numeric(28, 8),
  aum_read_at timestamptz,
  tab text,
  aum_rank float8 NOT NULL GENERATED ALWAYS AS (coalesce(aum::float8, '-Infinity')) STORED,
  reference_sort text NOT NULL,
  handle_sort text NOT NULL,
  created_at timestamptz NOT NULL,
  account_count integer NOT NULL,
  PRIMARY KEY (set_id, trader_id)
);
COMMENT ON TABLE trader_in_set IS 'Sums of a shared trader over the providers of a set.';
COMMENT ON COLUMN trader_in_set.aum_rank IS 'See trader.aum_rank.';
COMMENT ON COLUMN trader_in_set.account_count IS
  'Distinguishes a trader without accounts from one whose AUM was not read yet.';
CREATE INDEX trader_in_set_by_trader ON trader_in_set (trader_id);
CREATE INDEX trader_in_set_by_aum ON trader_in_set (set_id, tab, aum_rank DESC, trader_id) INCLUDE (aum);
CREATE INDEX trader_in_set_of_any_tab ON trader_in_set (set_id, aum_rank DESC, trader_id);
CREATE INDEX trader_in_set_by_reference ON trader_in_set (set_id, reference_sort, trader_id) INCLUDE (tab);
CREATE INDEX trader_in_set_by_handle ON trader_in_set (set_id, handle_sort, trader_id) INCLUDE (tab);
CREATE INDEX trader_in_set_by_created ON trader_in_set (set_id, created_at, trader_id) INCLUDE (tab);

ALTER TABLE trader_in_set ENABLE ROW LEVEL SECURITY;
ALTER TABLE trader_in_set FORCE ROW LEVEL SECURITY;
-- Only a scope equal to the set sees a sum: a part of the set may see less of it, and a larger scope has another sum.
CREATE POLICY trader_in_set_scope ON trader_in_set
  USING ((SELECT app.sees_all()) OR set_id = (SELECT app.provider_set()));

CREATE TABLE payout_in_set (
  set_id integer NOT NULL REFERENCES provider_set ON DELETE CASCADE,
  payout_id uuid NOT NULL REFERENCES payout ON DELETE RESTRICT,
  community_id uuid NOT NULL,
  recipient_type text NOT NULL,
  status text NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  created_at timestamptz NOT NULL,
  amount_rank float8 NOT NULL GENERATED ALWAYS AS (amount_units::float8) STORED,
  PRIMARY KEY (set_id, payout_id)
);
COMMENT ON TABLE payout_in_set IS 'Sums of a shared payout over the providers of a set.';
COMMENT ON COLUMN payout_in_set.amount_rank IS 'See trader.aum_rank.';
CREATE INDEX payout_in_set_by_payout ON payout_in_set (payout_id);
CREATE INDEX payout_in_set_by_created ON payout_in_set (set_id, created_at, payout_id);
CREATE INDEX payout_in_set_by_status ON payout_in_set (set_id, status, created_at, payout_id);
CREATE INDEX payout_in_set_by_community ON payout_in_set (set_id, community_id, created_at, payout_id);
CREATE INDEX payout_in_set_by_type ON payout_in_set (set_id, recipient_type, created_at, payout_id);
CREATE INDEX payout_in_set_by_amount ON payout_in_set (set_id, amount_rank, amount_units, payout_id);

ALTER TABLE payout_in_set ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_in_set FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_in_set_scope ON payout_in_set
  USING ((SELECT app.sees_all()) OR set_id = (SELECT app.provider_set()));

-- Recomputes the sums of these traders in these sets. NULL stands for all traders, and for all sets.
CREATE FUNCTION app.refresh_trader_sets(trader_ids uuid[], set_ids integer[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM trader_in_set s
  USING provider_set v
  WHERE v.id = s.set_id AND (set_ids IS NULL OR s.set_id = ANY (set_ids)) AND s.trader_id = ANY (trader_ids)
    AND NOT EXISTS (SELECT FROM trader_provider p
      WHERE p.trader_id = s.trader_id AND p.is_shared AND p.provider_id = ANY (v.provider_ids));
  INSERT INTO trader_in_set AS s (set_id, trader_id, community_id, aum, aum_read_at, tab, account_count, reference_sort,
    handle_sort, created_at)
  SELECT v.id, p.trader_id, (array_agg(p.community_id))[1], sum(p.aum), min(p.aum_read_at), max(p.tab),
    sum(p.account_count), min(p.reference_sort), min(p.handle_sort), min(p.created_at)
  FROM trader_provider p JOIN provider_set v ON p.provider_id = ANY (v.provider_ids)
  WHERE p.is_shared AND (trader_ids IS NULL OR p.trader_id = ANY (trader_ids))
    AND (set_ids IS NULL OR v.id = ANY (set_ids))
  GROUP BY v.id, p.trader_id
  ON CONFLICT (set_id, trader_id) DO UPDATE
  SET community_id = excluded.community_id, aum = excluded.aum, aum_read_at = excluded.aum_read_at, tab = excluded.tab,
    account_count = excluded.account_count, reference_sort = excluded.reference_sort, handle_sort = excluded.handle_sort, created_at = excluded.created_at
  WHERE (s.community_id, s.aum, s.aum_read_at, s.tab, s.account_count, s.reference_sort, s.handle_sort,
    s.created_at)
    IS DISTINCT FROM (excluded.community_id, excluded.aum, excluded.aum_read_at, excluded.tab,
      excluded.account_count, excluded.reference_sort,
      excluded.handle_sort, excluded.created_at);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- A transition table belongs to one kind of change, hence a trigger for each. Most rows are of one provider and cost no
-- more than a look.
CREATE FUNCTION app.trader_parts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM added WHERE is_shared;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM taken WHERE is_shared;
  ELSE
    SELECT array_agg(DISTINCT trader_id) INTO touched
    FROM (SELECT trader_id FROM added WHERE is_shared UNION SELECT trader_id FROM taken WHERE is_shared) both_sides;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_trader_sets(touched, NULL);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER parts_added AFTER INSERT ON trader_provider
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.trader_parts_written();
CREATE TRIGGER parts_changed AFTER UPDATE ON trader_provider
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.trader_parts_written();
CREATE TRIGGER parts_taken AFTER DELETE ON trader_provider
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.trader_parts_written();

-- The same for payouts. A part never loses its payout, so only a recomputation deletes rows.
CREATE FUNCTION app.refresh_payout_sets(payout_ids uuid[], set_ids integer[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM payout_in_set s
  WHERE s.payout_id = ANY (payout_ids) AND (set_ids IS NULL OR s.set_id = ANY (set_ids));
  INSERT INTO payout_in_set (set_id, payout_id, community_id, recipient_type, status, amount_units, created_at)
  SELECT v.id, s.payout_id, s.community_id, s.recipient_type, s.status, sum(s.amount_units), s.created_at
  FROM payout_provider s JOIN provider_set v ON s.provider_id = ANY (v.provider_ids)
  WHERE s.is_shared AND (payout_ids IS NULL OR s.payout_id = ANY (payout_ids))
    AND (set_ids IS NULL OR v.id = ANY (set_ids))
  GROUP BY v.id, s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

CREATE FUNCTION app.payout_parts_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM added WHERE is_shared;
  ELSE
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM taken WHERE is_shared;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_payout_sets(touched, NULL);
  END IF;
  RETURN NULL;
END
$$;
-- app.refresh_payouts deletes parts and inserts them again; it never updates one.
CREATE TRIGGER parts_added AFTER INSERT ON payout_provider
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payout_parts_written();
CREATE TRIGGER parts_taken AFTER DELETE ON payout_provider
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.payout_parts_written();

CREATE FUNCTION app.provider_sets_in_use() RETURNS SETOF uuid[]
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
  SELECT DISTINCT ids FROM identity.user_access a
  CROSS JOIN LATERAL (SELECT ARRAY(SELECT DISTINCT unnest(a.provider_ids) ORDER BY 1) AS ids) sorted
  WHERE a.admin AND NOT a.super AND a.disabled_at IS NULL AND cardinality(ids) > 1
$$;

-- Whether the sets match those in use, checked without a lock: most changes of users bring no new set.
CREATE FUNCTION app.provider_sets_agree() RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  agree boolean;
BEGIN
  SELECT NOT EXISTS (
    (SELECT u FROM app.provider_sets_in_use() u EXCEPT SELECT provider_ids FROM provider_set)
    UNION ALL
    (SELECT provider_ids FROM provider_set EXCEPT SELECT u FROM app.provider_sets_in_use() u)) INTO agree;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN agree;
END
$$;

-- Sets follow the users who hold them. The locks let writers of parts finish first, and later writers see the new set,
-- so no sum misses a concurrent change. Each set costs every write of a shared trader a row, so there are at most 64;
-- for any other set, lists compute the sums. New rows are analysed immediately: until then the planner takes a new set
-- for empty, and sorts all of it.
CREATE FUNCTION app.keep_provider_sets() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text;
  added integer[];
BEGIN
  IF app.provider_sets_agree() THEN
    RETURN NULL;
  END IF;
  caller_scope := app.open_scope();
  LOCK TABLE provider_set IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM provider_set v WHERE NOT EXISTS (SELECT FROM app.provider_sets_in_use() u WHERE u = v.provider_ids);
  IF EXISTS (SELECT FROM app.provider_sets_in_use() u WHERE NOT EXISTS (
    SELECT FROM provider_set v WHERE v.provider_ids = u)) THEN
    LOCK TABLE trader_provider, payout_provider IN SHARE MODE;
    WITH made AS (
      INSERT INTO provider_set (provider_ids)
      SELECT u FROM app.provider_sets_in_use() u
      WHERE NOT EXISTS (SELECT FROM provider_set v WHERE v.provider_ids = u)
      ORDER BY u LIMIT greatest(0, 64 - (SELECT count(*) FROM provider_set))
      RETURNING id)
    SELECT array_agg(id) INTO added FROM made;
    PERFORM app.refresh_trader_sets(NULL, added) WHERE added IS NOT NULL;
    PERFORM app.refresh_payout_sets(NULL, added) WHERE added IS NOT NULL;
    ANALYZE trader_in_set, payout_in_set;
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER access_written AFTER INSERT OR DELETE OR UPDATE OF admin, super, provider_ids, disabled_at
  ON identity.user_access FOR EACH STATEMENT EXECUTE FUNCTION app.keep_provider_sets();

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE trader_text (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid,
  kind text NOT NULL CHECK (kind IN ('reference', 'person', 'account')),
  value text NOT NULL
);
COMMENT ON TABLE trader_text IS
  'Searched texts of a trader, in lower case. Row-level security is enabled but not forced: lists compare texts '
  'under the policy, while app.search_traders runs as the owner, and row-level security would keep it from the '
  'indexes.';
COMMENT ON COLUMN trader_text.provider_id IS
  'The provider of the account; NULL for texts that everyone who sees the trader may see.';
CREATE INDEX trader_text_of_trader ON trader_text (trader_id);
CREATE INDEX trader_text_references ON trader_text USING gin (value gin_trgm_ops) WHERE kind = 'reference';
CREATE INDEX trader_text_others ON trader_text USING gin (value gin_trgm_ops) WHERE kind <> 'reference';

ALTER TABLE trader_text ENABLE ROW LEVEL SECURITY;
CREATE POLICY trader_text_scope ON trader_text
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    OR (provider_id IS NULL AND EXISTS (SELECT FROM trader_provider p
      WHERE p.trader_id = trader_text.trader_id
        AND p.provider_id = ANY ((SELECT app.provider_ids())::uuid[]) OFFSET 0)));

-- The texts of these traders, or of all when NULL.
CREATE FUNCTION app.refresh_trader_text(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM trader_text WHERE trader_ids IS NULL OR trader_id = ANY (trader_ids);
  INSERT INTO trader_text (trader_id, provider_id, kind, value)
  SELECT t.id, NULL::uuid, 'reference', t.reference_sort FROM trader t
  WHERE t.reference_number IS NOT NULL AND (trader_ids IS NULL OR t.id = ANY (trader_ids))
  UNION ALL
  SELECT t.id, NULL::uuid, 'person', lower(concat_ws(E'\n', t.name, t.telegram_username, t.telegram_user_id, t.email,
    t.deposit_address, t.external_wallet_address)) FROM trader t
  WHERE trader_ids IS NULL OR t.id = ANY (trader_ids)
  UNION ALL
  SELECT a.trader_id, a.provider_id, 'account', lower(concat_ws(E'\n', a.acc_uid, a.master_address, a.agent_address))
  FROM exchange_account a
  WHERE a.removed_at IS NULL AND (trader_ids IS NULL OR a.trader_id = ANY (trader_ids));
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

CREATE FUNCTION app.trader_text_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME = 'trader' THEN
    PERFORM app.refresh_trader_text(ARRAY[NEW.id]);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM app.refresh_trader_text(ARRAY[OLD.trader_id]);
  ELSE
    PERFORM app.refresh_trader_text(ARRAY[NEW.trader_id]);
  END IF;
  RETURN NULL;
END
$$;
-- Equity changes all the time and is not searched: texts follow only changes of names and addresses.
CREATE TRIGGER text_written AFTER INSERT OR UPDATE OF reference_number, name, telegram_username, telegram_user_id,
    email, deposit_address, external_wallet_address
  ON trader FOR EACH ROW EXECUTE FUNCTION app.trader_text_written();
CREATE TRIGGER text_written AFTER INSERT OR DELETE OR UPDATE OF trader_id, provider_id, acc_uid, master_address,
    agent_address, removed_at
  ON exchange_account FOR EACH ROW EXECUTE FUNCTION app.trader_text_written();

-- Every character of a text and every pair of neighbours. Splitting in C takes 60 us for a person, a row for each pair
-- 700 us. The function is not inlined, and its cost keeps the planner from calling it for every row instead of using
-- the index.
CREATE FUNCTION app.short_parts(value text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
BEGIN
  RETURN string_to_array(value, NULL)
    || string_to_array(regexp_replace(value, '(..)', E'\\1\x01', 'g'), E'\x01')
    || string_to_array(regexp_replace(substr(value, 2), '(..)', E'\\1\x01', 'g'), E'\x01');
END
$$;
-- Texts with one or two given characters: the index of trigrams has no entry for those, and reading all texts took 60
-- to 260 ms of processor time at 100,000 traders. Parts that many traders have are found by walking the list instead.
CREATE INDEX trader_text_short_parts ON trader_text USING gin (app.short_parts(value)) WHERE kind <> 'reference';

-- Traders in the caller's scope with this part in a reference number, or in anything else: names, Telegram, e-mail,
-- addresses and accounts, or the beginning of an invoice's id or of the hash that paid one. Accounts, invoices and
-- payments count only for the caller's providers; traders whose reference number also has the part are left out.
-- Returns at most so many matches, a trader once for each match; without a scope, none.
--
-- Under row-level security no index answers LIKE, because the operator is not leakproof. So this function runs as the
-- owner, applies the scope itself, and returns ids only. The pattern is part of the statement, so that the planner
-- knows it. OFFSET 0 looks up each trader instead of collecting the whole scope first.
CREATE FUNCTION app.search_traders(part text, in_references boolean, most integer) RETURNS SETOF uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  needle text := lower(part);
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  hex text := replace(needle, '-', '');
  is_short boolean := length(needle) < 3;
  sources text := format($query$SELECT x.trader_id FROM trader_text x
    WHERE %s AND ($1 OR coalesce(x.provider_id = ANY ($2), true))$query$,
    CASE
      -- Neither column is named as an index has it: texts are read as they come, and only until there are enough.
      WHEN in_references AND is_short THEN format($part$(x.kind || '') = 'reference' AND (x.value || '') LIKE %L$part$, pattern)
      WHEN in_references THEN format($part$x.kind = 'reference' AND x.value LIKE %L$part$, pattern)
      WHEN is_short THEN format($part$x.kind <> 'reference' AND app.short_parts(x.value) @> ARRAY[%L]$part$, needle)
      ELSE format($part$x.kind <> 'reference' AND x.value LIKE %L$part$, pattern)
    END);
BEGIN
  IF NOT in_references AND hex ~ '^[0-9a-f]{8,32}$' THEN
    sources := sources || format($query$ UNION ALL SELECT i.trader_id FROM invoice i
      WHERE i.id BETWEEN %L::uuid AND %L::uuid AND ($1 OR i.provider_id = ANY ($2))$query$,
      rpad(hex, 32, '0'), rpad(hex, 32, 'f'));
  END IF;
  IF NOT in_references AND needle ~ '^0x[0-9a-f]{6,64}$' THEN
    sources := sources || format($query$ UNION ALL SELECT i.trader_id FROM invoice_payment y JOIN invoice i ON i.id = y.invoice_id
      WHERE y.transaction_hash COLLATE "C" >= %L AND y.transaction_hash COLLATE "C" < %L
        AND ($1 OR y.provider_id = ANY ($2))$query$, needle, needle || 'g');
  END IF;
  RETURN QUERY EXECUTE format($query$SELECT found.trader_id FROM (%s) found
    WHERE ($1 OR EXISTS (SELECT FROM trader_provider p
      WHERE p.trader_id = found.trader_id AND p.provider_id = ANY ($2) OFFSET 0))
    AND (%L OR NOT EXISTS (SELECT FROM trader_text r
      WHERE r.trader_id = found.trader_id AND r.kind = 'reference' AND r.value LIKE %L OFFSET 0))
    LIMIT $3$query$, sources, in_references, pattern) USING caller_scope = 'all', mine, most;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- All traders in the caller's scope with this part in a text other than the reference number, some of them several
-- times. For counts: it joins scope and texts as a whole, where app.search_traders looks up each match.
CREATE FUNCTION app.traders_with_text(part text) RETURNS SETOF uuid
  LANGUAGE plpgsql SECURITY DEFINER ROWS 30000
  SET search_path = public, pg_temp AS $$
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  needle text := lower(part);
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
BEGIN
  RETURN QUERY EXECUTE format($query$SELECT x.trader_id FROM trader_text x
    WHERE x.kind <> 'reference' AND %s AND ($1 OR x.provider_id = ANY ($2) OR (x.provider_id IS NULL AND x.trader_id IN (
      SELECT p.trader_id FROM trader_provider p WHERE p.provider_id = ANY ($2))))$query$,
    CASE WHEN length(needle) < 3 THEN format('app.short_parts(x.value) @> ARRAY[%L]', needle)
      ELSE format('x.value LIKE %L', pattern) END) USING caller_scope = 'all', mine;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- Triggers alone write these tables.
REVOKE INSERT, UPDATE, DELETE ON provider_set, trader_in_set, payout_in_set, trader_text FROM copydesk_app;
GRANT EXECUTE ON FUNCTION
  app.provider_set(),
  app.search_traders(text, boolean, integer),
  app.traders_with_text(text)
  TO copydesk_app;
