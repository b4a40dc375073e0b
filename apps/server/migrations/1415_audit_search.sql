-- The audit is searched by words. Under row-level security no index answers a search of texts, so the words of the
-- entries stand in a table of their own, which functions alone read and write. It follows the audit by a minute: an
-- entry is written while all others wait, and looking for words is not what they should wait for. A search reads what
-- is not in it yet from the entries themselves.

CREATE TABLE audit_text (
  seq bigint PRIMARY KEY,
  words tsvector NOT NULL
);
COMMENT ON TABLE audit_text IS
  'The words of an entry of the audit: who, what, the object with its name at the time, and the values before and '
  'after. Made from the entries, by a job.';
CREATE INDEX audit_text_words ON audit_text USING gin (words);
ALTER TABLE audit_text ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_text_scope ON audit_text USING ((SELECT app.sees_all()));
REVOKE ALL ON audit_text FROM copydesk_app;

-- Whatever joins words, as in invoice.marked_paid, 312.50 or an address of mail, parts them here, for entries and
-- searches alike.
CREATE FUNCTION app.parted_words(value text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT to_tsvector('pg_catalog.simple', translate(replace(lower(left(value, 50000) COLLATE app.names) COLLATE "C",
    '\n', ' '), $chars$._-/@:\"{}[],<>()=&|!*'+%$#~;?^`$chars$, repeat(' ', 32)))
$$;

-- Null: the text has no word.
CREATE FUNCTION app.words_query(typed text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT to_tsquery('pg_catalog.simple', string_agg('''' || w.lexeme || ''':*', ' & '))
  FROM unnest(app.parted_words(typed)) w
$$;

CREATE FUNCTION app.audit_words(e audit_entry) RETURNS tsvector
  LANGUAGE sql STABLE
AS $$
  SELECT app.parted_words(concat_ws(' ', e.actor_name, e.action, e.target_kind, e.target_id,
    app.audit_target_name(e.target_kind, e.target_id), e.before::text, e.after::text))
$$;

-- Reads the words of the next entries. Returns how many. For workers alone.
CREATE FUNCTION app.read_audit_words(most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  added integer;
BEGIN
  INSERT INTO audit_text (seq, words)
    SELECT e.seq, app.audit_words(e) FROM audit_entry e
    WHERE e.seq > coalesce((SELECT max(t.seq) FROM audit_text t), -1) ORDER BY e.seq LIMIT most
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  RETURN added;
END
$$;
GRANT EXECUTE ON FUNCTION app.read_audit_words(integer) TO copydesk_worker;

-- The numbers of the latest entries before one that have all words of a text, or words that begin with them; for whoever
-- sees all.
CREATE FUNCTION app.search_audit(typed text, before_seq bigint, most integer) RETURNS SETOF bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1000
  SET search_path = public, pg_temp AS $$
DECLARE
  wanted tsquery := app.words_query(typed);
  known bigint := coalesce((SELECT max(t.seq) FROM audit_text t), -1);
  found integer;
BEGIN
  IF wanted IS NULL OR NOT app.sees_all() THEN
    RETURN;
  END IF;
  -- The words are part of the statements, so that the planner knows how rare they are.
  RETURN QUERY EXECUTE format($query$SELECT e.seq FROM audit_entry e
    WHERE e.seq > $1 AND e.seq < $2 AND app.audit_words(e) @@ %L::tsquery ORDER BY e.seq DESC LIMIT $3$query$, wanted)
    USING known, before_seq, most;
  GET DIAGNOSTICS found = ROW_COUNT;
  RETURN QUERY EXECUTE format($query$SELECT t.seq FROM audit_text t
    WHERE t.seq < $1 AND t.words @@ %L::tsquery ORDER BY t.seq DESC LIMIT $2$query$, wanted)
    USING before_seq, most - found;
END
$$;
GRANT EXECUTE ON FUNCTION app.search_audit(text, bigint, integer) TO copydesk_app;
