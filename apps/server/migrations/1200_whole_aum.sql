-- AUM is one figure: the equity of a trader's exchange accounts, as last read, and its capital in pools. The whole
-- decides marks, levels and tabs; a provider's part of it never does.

ALTER TABLE trader ADD COLUMN pool_capital numeric(28,8) NOT NULL DEFAULT 0;
COMMENT ON COLUMN trader.pool_capital IS 'Virtual balances in pools, USD, cut off after eight decimals. Part of aum.';
COMMENT ON COLUMN trader.aum IS
  'Sum over the equity of all accounts, and pool_capital; kept by app.refresh_traders like account_count. NULL: no equity was read yet, and no capital.';
ALTER TABLE trader_provider ADD COLUMN pool_capital numeric(28,8) NOT NULL DEFAULT 0;
COMMENT ON COLUMN trader_provider.pool_capital IS
  'That of the trader, part of aum: every provider that sees a trader sees its virtual balances. A sum over several providers counts it once.';
COMMENT ON COLUMN trader_provider.tab IS 'That of the trader, whose accounts may be under other providers.';

CREATE OR REPLACE FUNCTION app.refresh_traders(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $function$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  SELECT jsonb_object_agg(s.trader_id, s.providers) INTO seen_before
  FROM (SELECT trader_id, jsonb_agg(provider_id) AS providers
        FROM trader_provider WHERE trader_id = ANY (trader_ids) GROUP BY trader_id) s;

  UPDATE trader t
  SET aum = s.aum, aum_read_at = s.read_at, account_count = s.accounts, pool_capital = s.capital
  FROM (SELECT w.id, CASE WHEN count(a.equity) > 0 OR p.capital > 0 THEN coalesce(sum(a.equity), 0) + p.capital END AS aum,
          min(a.equity_read_at) AS read_at, count(a.id)::int AS accounts, p.capital
        FROM unnest(trader_ids) w (id)
        LEFT JOIN exchange_account a ON a.trader_id = w.id AND a.removed_at IS NULL
        CROSS JOIN LATERAL (SELECT trunc(coalesce(sum(m.capital_units), 0) * 0.000000000000000001, 8) AS capital
          FROM pool_member m WHERE m.trader_id = w.id) p
        GROUP BY w.id, p.capital) s
  WHERE t.id = s.id
    AND (t.aum, t.aum_read_at, t.account_count, t.pool_capital) IS DISTINCT FROM (s.aum, s.read_at, s.accounts, s.capital);

  DELETE FROM trader_provider tp
  USING trader t
  WHERE tp.trader_id = ANY (trader_ids) AND t.id = tp.trader_id
    AND t.selected_provider_id IS DISTINCT FROM tp.provider_id
    AND NOT EXISTS (SELECT FROM exchange_account a
                    WHERE a.trader_id = tp.trader_id AND a.provider_id = tp.provider_id AND a.removed_at IS NULL);

  INSERT INTO trader_provider AS tp (trader_id, provider_id, account_count, aum, aum_read_at, tab, is_shared, pool_capital)
  SELECT t.id, p.provider_id, count(a.id),
         CASE WHEN count(a.equity) > 0 OR t.pool_capital > 0 THEN coalesce(sum(a.equity), 0) + t.pool_capital END,
         min(a.equity_read_at), t.tab, count(*) OVER (PARTITION BY t.id) > 1, t.pool_capital
  FROM trader t
  CROSS JOIN LATERAL (
    SELECT t.selected_provider_id AS provider_id WHERE t.selected_provider_id IS NOT NULL
    UNION SELECT ea.provider_id FROM exchange_account ea WHERE ea.trader_id = t.id AND ea.removed_at IS NULL) p
  LEFT JOIN exchange_account a
    ON a.trader_id = t.id AND a.provider_id = p.provider_id AND a.removed_at IS NULL
  WHERE t.id = ANY (trader_ids)
  GROUP BY t.id, p.provider_id
  ON CONFLICT (trader_id, provider_id) DO UPDATE
  SET account_count = excluded.account_count, aum = excluded.aum, aum_read_at = excluded.aum_read_at,
      tab = excluded.tab, is_shared = excluded.is_shared, pool_capital = excluded.pool_capital
  WHERE (tp.account_count, tp.aum, tp.aum_read_at, tp.tab, tp.is_shared, tp.pool_capital) IS DISTINCT FROM
    (excluded.account_count, excluded.aum, excluded.aum_read_at, excluded.tab, excluded.is_shared, excluded.pool_capital);

  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'trader', w.id, ARRAY(
    SELECT provider_id FROM trader_provider WHERE trader_id = w.id
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(trader_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.refresh_trader_sets(trader_ids uuid[], set_ids integer[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $function$
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
  -- Each row of a trader has its whole pool capital.
  SELECT v.id, p.trader_id, (array_agg(p.community_id))[1], sum(p.aum - p.pool_capital) + max(p.pool_capital),
    min(p.aum_read_at), max(p.tab), sum(p.account_count), min(p.reference_sort), min(p.handle_sort), min(p.created_at)
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
$function$;

CREATE FUNCTION app.pool_capital_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  changed uuid[] := ARRAY(SELECT DISTINCT n.trader_id FROM added n JOIN taken o ON o.id = n.id
    WHERE n.capital_units <> o.capital_units);
BEGIN
  IF changed <> '{}' AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_traders(changed);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER pool_capital_changed AFTER UPDATE ON pool_member REFERENCING OLD TABLE AS taken NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.pool_capital_written();

-- Staff see their part of a trader. What its whole decides is said without the whole: the minimum balance that it is
-- below, its VIP level, and whether other providers have accounts too.
CREATE FUNCTION app.trader_marks(ids uuid[])
  RETURNS TABLE (trader_id uuid, is_part boolean, below_minimum numeric, vip_level integer)
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  everything boolean := caller_scope = 'all';
BEGIN
  IF ids IS NULL AND everything THEN
    ids := ARRAY(SELECT id FROM trader);
  ELSIF NOT everything THEN
    ids := ARRAY(SELECT DISTINCT p.trader_id FROM trader_provider p
      WHERE p.provider_id = ANY (mine) AND (ids IS NULL OR p.trader_id = ANY (ids)));
  END IF;
  RETURN QUERY
    SELECT t.id, NOT everything AND t.account_count > (SELECT sum(p.account_count) FROM trader_provider p
        WHERE p.trader_id = t.id AND p.provider_id = ANY (mine)),
      -- Whoever has an account that was not read yet may have enough.
      CASE WHEN coalesce(t.aum, 0) < c.minimum_balance AND NOT EXISTS (SELECT FROM exchange_account a
          WHERE a.trader_id = t.id AND a.removed_at IS NULL AND a.equity IS NULL) THEN c.minimum_balance END,
      coalesce((SELECT v.level FROM vip_tier v WHERE v.min_aum <= t.aum ORDER BY v.min_aum DESC LIMIT 1), 0)
    FROM unnest(ids) w (id) JOIN trader t ON t.id = w.id
    LEFT JOIN community c ON c.id = t.community_id AND (everything OR EXISTS (SELECT FROM community_provider l
      WHERE l.community_id = c.id AND l.provider_id = ANY (mine)));
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
COMMENT ON FUNCTION app.trader_marks(uuid[]) IS
  'Of traders in the caller''s scope: whether it sees a part of their AUM only, and what the whole decides: the minimum balance (USD) that they are below, and their VIP level. NULL: of all traders in scope.';
GRANT EXECUTE ON FUNCTION app.trader_marks(uuid[]) TO copydesk_app;

-- What exists already. Few traders are in pools, and few pending ones selected a provider without an account of theirs.
SELECT app.refresh_traders(ARRAY(SELECT DISTINCT m.trader_id FROM pool_member m WHERE m.capital_units > 0));
UPDATE trader_provider p SET tab = t.tab FROM trader t WHERE t.id = p.trader_id AND p.tab IS DISTINCT FROM t.tab;
