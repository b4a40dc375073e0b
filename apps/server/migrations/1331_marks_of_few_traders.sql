-- Pages of lists have one plan for whatever is asked, and so have the functions in them. With "all traders, or these" in
-- one condition that plan read every trader of the caller's providers for a page of fifty: 63 ms at 100,000.
CREATE OR REPLACE FUNCTION app.trader_marks(ids uuid[])
  RETURNS TABLE (trader_id uuid, is_part boolean, below_minimum numeric, vip_level integer)
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  everything boolean := caller_scope = 'all';
BEGIN
  IF everything THEN
    IF ids IS NULL THEN
      ids := ARRAY(SELECT id FROM trader);
    END IF;
  ELSIF ids IS NULL THEN
    ids := ARRAY(SELECT DISTINCT p.trader_id FROM trader_provider p WHERE p.provider_id = ANY (mine));
  ELSE
    ids := ARRAY(SELECT w.id FROM (SELECT DISTINCT id FROM unnest(ids) u (id)) w
      WHERE EXISTS (SELECT FROM trader_provider p WHERE p.trader_id = w.id AND p.provider_id = ANY (mine) OFFSET 0));
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
