-- Search of traders by a part of what is written about them. Under row-level security no index answers LIKE: the operator might
-- tell of rows that the caller may not see, so it is asked last. One function asks it first, applies the scope itself,
-- and answers with ids alone.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What is searched, in lower case. Without row-level security, which would keep the owner's function from the index as well:
-- the application has no right on it whatever.
CREATE TABLE trader_text (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  -- Whose account it is; NULL for what everybody knows who sees the trader.
  provider_id uuid,
  kind text NOT NULL CHECK (kind IN ('reference', 'person', 'account')),
  value text NOT NULL
);
CREATE INDEX trader_text_of_trader ON trader_text (trader_id);
CREATE INDEX trader_text_references ON trader_text USING gin (value gin_trgm_ops) WHERE kind = 'reference';
CREATE INDEX trader_text_others ON trader_text USING gin (value gin_trgm_ops) WHERE kind <> 'reference';
REVOKE ALL ON trader_text FROM copydesk_app;

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
REVOKE EXECUTE ON FUNCTION app.refresh_trader_text(uuid[]) FROM PUBLIC;

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
-- Equity changes all the time and is not searched: accounts are looked at again when their names change.
CREATE TRIGGER text_written AFTER INSERT OR UPDATE OF reference_number, name, telegram_username, telegram_user_id, email,
    deposit_address, external_wallet_address
  ON trader FOR EACH ROW EXECUTE FUNCTION app.trader_text_written();
CREATE TRIGGER text_written AFTER INSERT OR DELETE OR UPDATE OF trader_id, provider_id, acc_uid, master_address,
    agent_address, removed_at
  ON exchange_account FOR EACH ROW EXECUTE FUNCTION app.trader_text_written();

-- The beginning of a transaction hash is a range of bytes, that of an invoice's id a range of ids.
CREATE INDEX invoice_payment_by_hash ON invoice_payment (transaction_hash COLLATE "C") WHERE transaction_hash IS NOT NULL;

-- Traders in the caller's scope with this part of a reference number, or of anything else that is known of them: names,
-- Telegram, e-mail, addresses and accounts, or the beginning of an invoice's id or of the hash that paid one; of accounts,
-- invoices and payments only those of the caller's providers, and no trader whose reference number has the part as well. At most so many matches, a trader with several of them several
-- times; nothing without a context. The pattern is written into the statement, so that the plan knows it: a short one is
-- no question for an index of trigrams. OFFSET has each trader looked up, instead of the whole scope collected first.
CREATE FUNCTION app.search_traders(part text, in_references boolean, most integer) RETURNS SETOF uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  needle text := lower(part);
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  hex text := replace(needle, '-', '');
  sources text := format($query$SELECT x.trader_id FROM trader_text x
    WHERE x.kind %s 'reference' AND x.value LIKE %L AND ($1 OR coalesce(x.provider_id = ANY ($2), true))$query$,
    CASE WHEN in_references THEN '=' ELSE '<>' END, pattern);
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
REVOKE EXECUTE ON FUNCTION app.search_traders(text, boolean, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.search_traders(text, boolean, integer) TO copydesk_app;

SELECT app.refresh_trader_text(NULL);

-- The orders of the list over all tabs.
CREATE INDEX trader_by_reference ON trader (reference_sort, id);
CREATE INDEX trader_by_handle ON trader (handle_sort, id);
