-- The community of a trader beside what each provider sees of it: sums of staff by community would else look up each
-- trader, once for its community and once for its policy (79,000 traders of three providers: 0.8 s; with this 0.06 s).

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

ALTER TABLE trader_provider ADD COLUMN community_id uuid;
UPDATE trader_provider p SET community_id = t.community_id FROM trader t WHERE t.id = p.trader_id;
ALTER TABLE trader_provider ALTER COLUMN community_id SET NOT NULL;

-- Whoever writes a row need not know the community.
CREATE FUNCTION app.trader_seen() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  SELECT community_id INTO NEW.community_id FROM trader WHERE id = NEW.trader_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$$;
CREATE TRIGGER trader_seen BEFORE INSERT ON trader_provider
  FOR EACH ROW WHEN (NEW.community_id IS NULL) EXECUTE FUNCTION app.trader_seen();

CREATE FUNCTION app.trader_moved() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE trader_provider SET community_id = NEW.community_id WHERE trader_id = NEW.id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER trader_moved AFTER UPDATE OF community_id ON trader
  FOR EACH ROW WHEN (NEW.community_id <> OLD.community_id) EXECUTE FUNCTION app.trader_moved();
