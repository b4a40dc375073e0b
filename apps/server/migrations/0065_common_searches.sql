-- Search of traders by one or two characters of anything but a reference number. The index of trigrams knows nothing of
-- them, and reading all texts took 60 to 260 ms of processor time at 100,000 traders. Many traders have most of these
-- parts: their page is found by walking the list, which compares the texts of the traders that it passes. The others are
-- found by an index of characters and pairs of characters.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

-- Lists compare texts under this policy. It is not forced: app.search_traders runs as the owner, and row-level security would
-- keep it from the indexes.
ALTER TABLE trader_text ENABLE ROW LEVEL SECURITY;
CREATE POLICY trader_text_scope ON trader_text
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    OR (provider_id IS NULL AND EXISTS (SELECT FROM trader_provider p
      WHERE p.trader_id = trader_text.trader_id AND p.provider_id = ANY ((SELECT app.provider_ids())::uuid[]) OFFSET 0)));
GRANT SELECT ON trader_text TO copydesk_app;

-- Every character of a text and every pair of neighbours. Splitting in C takes 60 us for a person, a row for each pair 700.
-- It is not inlined, and its cost keeps the planner from asking it of every row instead of the index.
CREATE FUNCTION app.short_parts(value text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
BEGIN
  RETURN string_to_array(value, NULL)
    || string_to_array(regexp_replace(value, '(..)', E'\\1\x01', 'g'), E'\x01')
    || string_to_array(regexp_replace(substr(value, 2), '(..)', E'\\1\x01', 'g'), E'\x01');
END
$$;
CREATE INDEX trader_text_short_parts ON trader_text USING gin (app.short_parts(value)) WHERE kind <> 'reference';

-- As in 0058, but short parts of anything else come from that index.
CREATE OR REPLACE FUNCTION app.search_traders(part text, in_references boolean, most integer) RETURNS SETOF uuid
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

-- All traders in the caller's scope of whom a text that is no reference number has this part, some of them several times. It
-- is there to count them: scope and texts are joined as a whole, where app.search_traders looks each match up.
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
REVOKE EXECUTE ON FUNCTION app.traders_with_text(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.traders_with_text(text) TO copydesk_app;
