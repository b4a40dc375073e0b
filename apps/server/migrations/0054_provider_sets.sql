-- Lists of staff of several providers. What such staff see of a trader or a payout that several providers share is a sum,
-- and no index orders sums that are added up when they are asked for. The sets of providers that users hold are few: each
-- set keeps its sums, of what is shared only. The rest has one row for its one provider, and that is the sum already.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

CREATE TABLE provider_set (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- In order, each once.
  provider_ids uuid[] NOT NULL UNIQUE CHECK (cardinality(provider_ids) > 1)
);

-- The set that the caller's scope is, or NULL when no sums are kept for it.
CREATE FUNCTION app.provider_set() RETURNS integer
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = public, pg_temp
  AS 'SELECT id FROM provider_set WHERE provider_ids = ARRAY(SELECT DISTINCT unnest(app.provider_ids()) ORDER BY 1)';
GRANT EXECUTE ON FUNCTION app.provider_set() TO copydesk_app;

CREATE TABLE trader_in_set (
  set_id integer NOT NULL REFERENCES provider_set ON DELETE CASCADE,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  community_id uuid NOT NULL,
  aum numeric(28, 8),
  aum_read_at timestamptz,
  tab text,
  PRIMARY KEY (set_id, trader_id)
);
CREATE INDEX trader_in_set_by_trader ON trader_in_set (trader_id);
CREATE INDEX trader_in_set_by_aum ON trader_in_set (set_id, tab, aum DESC NULLS LAST, trader_id);
CREATE INDEX trader_in_set_of_any_tab ON trader_in_set (set_id, aum DESC NULLS LAST, trader_id);
-- The same orders for the traders of one provider, over all tabs.
CREATE INDEX trader_provider_of_any_tab ON trader_provider (provider_id, aum DESC NULLS LAST, trader_id)
  INCLUDE (tab, is_shared);

CREATE TABLE payout_in_set (
  set_id integer NOT NULL REFERENCES provider_set ON DELETE CASCADE,
  payout_id uuid NOT NULL REFERENCES payout ON DELETE RESTRICT,
  community_id uuid NOT NULL,
  recipient_type text NOT NULL,
  status text NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (set_id, payout_id)
);
CREATE INDEX payout_in_set_by_payout ON payout_in_set (payout_id);
CREATE INDEX payout_in_set_by_created ON payout_in_set (set_id, created_at, payout_id);
CREATE INDEX payout_in_set_by_amount ON payout_in_set (set_id, amount_units, payout_id);
CREATE INDEX payout_in_set_by_status ON payout_in_set (set_id, status, created_at, payout_id);
CREATE INDEX payout_in_set_by_community ON payout_in_set (set_id, community_id, created_at, payout_id);
CREATE INDEX payout_in_set_by_type ON payout_in_set (set_id, recipient_type, created_at, payout_id);

-- Whether others have a part of the payout as well; each index says so, and is walked without the row.
ALTER TABLE payout_provider ADD is_shared boolean NOT NULL GENERATED ALWAYS AS (cardinality(provider_ids) > 1) STORED;
DROP INDEX payout_provider_by_created, payout_provider_by_amount, payout_provider_by_status, payout_provider_by_community,
  payout_provider_by_type;
CREATE INDEX payout_provider_by_created ON payout_provider (provider_id, created_at, payout_id)
  INCLUDE (community_id, recipient_type, status, is_shared);
CREATE INDEX payout_provider_by_amount ON payout_provider (provider_id, amount_units, payout_id)
  INCLUDE (community_id, recipient_type, status, created_at, is_shared);
CREATE INDEX payout_provider_by_status ON payout_provider (provider_id, status, created_at, payout_id)
  INCLUDE (community_id, recipient_type, is_shared);
CREATE INDEX payout_provider_by_community ON payout_provider (provider_id, community_id, created_at, payout_id)
  INCLUDE (recipient_type, status, is_shared);
CREATE INDEX payout_provider_by_type ON payout_provider (provider_id, recipient_type, created_at, payout_id)
  INCLUDE (community_id, status, is_shared);

ALTER TABLE provider_set ENABLE ROW LEVEL SECURITY;
ALTER TABLE provider_set FORCE ROW LEVEL SECURITY;
CREATE POLICY provider_set_scope ON provider_set
  USING ((SELECT app.sees_all()) OR provider_ids <@ (SELECT app.provider_ids())::uuid[]);
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON provider_set FROM copydesk_app;

-- A sum is seen by those whose scope is exactly the set: part of the set may see less of it, and more of it sees another.
DO $$
DECLARE
  scoped text;
BEGIN
  FOREACH scoped IN ARRAY ARRAY['trader_in_set', 'payout_in_set'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', scoped);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', scoped);
    EXECUTE format('CREATE POLICY %I ON %I USING ((SELECT app.sees_all()) OR set_id = (SELECT app.provider_set()))',
      scoped || '_scope', scoped);
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON %I FROM copydesk_app', scoped);
  END LOOP;
END
$$;

-- Sums of these traders in these sets; NULL stands for all traders and for all sets.
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
  INSERT INTO trader_in_set AS s (set_id, trader_id, community_id, aum, aum_read_at, tab)
  SELECT v.id, p.trader_id, (array_agg(p.community_id))[1], sum(p.aum), min(p.aum_read_at), max(p.tab)
  FROM trader_provider p JOIN provider_set v ON p.provider_id = ANY (v.provider_ids)
  WHERE p.is_shared AND (trader_ids IS NULL OR p.trader_id = ANY (trader_ids))
    AND (set_ids IS NULL OR v.id = ANY (set_ids))
  GROUP BY v.id, p.trader_id
  ON CONFLICT (set_id, trader_id) DO UPDATE
  SET community_id = excluded.community_id, aum = excluded.aum, aum_read_at = excluded.aum_read_at, tab = excluded.tab
  WHERE (s.community_id, s.aum, s.aum_read_at, s.tab)
    IS DISTINCT FROM (excluded.community_id, excluded.aum, excluded.aum_read_at, excluded.tab);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- Parts of these payouts in these sets, in the same way. A part never loses its payout, so nothing goes but with it.
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

-- A transition table belongs to one kind of change, hence a trigger for each. Most rows are of one provider: they cost
-- no more than a look.
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
-- app.refresh_payouts takes shares away and puts them back; it never changes one.
CREATE TRIGGER parts_added AFTER INSERT ON payout_provider
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payout_parts_written();
CREATE TRIGGER parts_taken AFTER DELETE ON payout_provider
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.payout_parts_written();

-- PostgreSQL estimates a policy as if the whole table were read, and would collect every trader of the scope before the first
-- row of a page (170 ms at 100,000). OFFSET keeps it from that: each row that is met is looked up.
ALTER POLICY trader_scope ON trader
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM trader_provider tp
    WHERE tp.trader_id = trader.id AND tp.provider_id = ANY ((SELECT app.provider_ids())::uuid[]) OFFSET 0));

-- Sets follow the users that hold them. Writers of parts end first, and those that come later see the new set: a sum is
-- never computed beside a change that does not know of it. Each set costs every write of a shared trader a row, so there
-- are at most 64; who holds another one has its sums added up, as before.
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
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE FUNCTION app.provider_sets_in_use() RETURNS SETOF uuid[]
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
  SELECT DISTINCT ids FROM identity.user_access a
  CROSS JOIN LATERAL (SELECT ARRAY(SELECT DISTINCT unnest(a.provider_ids) ORDER BY 1) AS ids) sorted
  WHERE a.admin AND NOT a.super AND a.disabled_at IS NULL AND cardinality(ids) > 1
$$;

-- Whether there is nothing to do, found without a lock: most changes of users bring no new set.
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

REVOKE EXECUTE ON FUNCTION app.provider_sets_in_use(), app.provider_sets_agree(), app.refresh_trader_sets(uuid[], integer[]),
  app.refresh_payout_sets(uuid[], integer[]) FROM PUBLIC;

CREATE TRIGGER access_written AFTER INSERT OR DELETE OR UPDATE OF admin, super, provider_ids, disabled_at
  ON identity.user_access FOR EACH STATEMENT EXECUTE FUNCTION app.keep_provider_sets();

-- For the users that there are already.
UPDATE identity.user_access SET admin = admin;
