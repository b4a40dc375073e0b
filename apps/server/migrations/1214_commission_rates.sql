-- A position is invoiced at the rate that was in force when it closed, whenever the invoice is made.
CREATE TABLE commission_rate (
  community_id uuid REFERENCES community (id) ON DELETE CASCADE,
  provider_id uuid REFERENCES provider (id) ON DELETE CASCADE,
  rate numeric(5,4) NOT NULL,
  in_force_from timestamptz NOT NULL,
  CONSTRAINT commission_rate_of_one CHECK (num_nonnulls(community_id, provider_id) = 1)
);
COMMENT ON TABLE commission_rate IS
  'Rates of communities and minimum rates of providers, each from the time of its change. Kept by triggers.';
CREATE UNIQUE INDEX commission_rate_of_community ON commission_rate (community_id, in_force_from DESC)
  INCLUDE (rate) WHERE community_id IS NOT NULL;
CREATE UNIQUE INDEX commission_rate_of_provider ON commission_rate (provider_id, in_force_from DESC)
  INCLUDE (rate) WHERE provider_id IS NOT NULL;
ALTER TABLE commission_rate ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY commission_rate_scope ON commission_rate FOR ALL USING ((SELECT app.sees_all()));
-- compatible: the table is new
REVOKE INSERT, UPDATE, DELETE ON commission_rate FROM copydesk_app;

-- The first rate holds for what closed before, too: nothing else is known of that time.
INSERT INTO commission_rate (community_id, rate, in_force_from) SELECT id, commission_rate, '-infinity' FROM community;
INSERT INTO commission_rate (provider_id, rate, in_force_from)
SELECT id, minimum_commission_rate, '-infinity' FROM provider;

CREATE FUNCTION app.community_rate_set() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO commission_rate (community_id, rate, in_force_from)
  VALUES (NEW.id, NEW.commission_rate, CASE TG_OP WHEN 'INSERT' THEN '-infinity'::timestamptz ELSE now() END)
  ON CONFLICT (community_id, in_force_from) WHERE community_id IS NOT NULL DO UPDATE SET rate = excluded.rate;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER community_rate_first AFTER INSERT ON community FOR EACH ROW EXECUTE FUNCTION app.community_rate_set();
CREATE TRIGGER community_rate AFTER UPDATE OF commission_rate ON community FOR EACH ROW
  WHEN (OLD.commission_rate IS DISTINCT FROM NEW.commission_rate) EXECUTE FUNCTION app.community_rate_set();
CREATE FUNCTION app.provider_rate_set() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO commission_rate (provider_id, rate, in_force_from)
  VALUES (NEW.id, NEW.minimum_commission_rate, CASE TG_OP WHEN 'INSERT' THEN '-infinity'::timestamptz ELSE now() END)
  ON CONFLICT (provider_id, in_force_from) WHERE provider_id IS NOT NULL DO UPDATE SET rate = excluded.rate;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER provider_rate_first AFTER INSERT ON provider FOR EACH ROW EXECUTE FUNCTION app.provider_rate_set();
CREATE TRIGGER provider_rate AFTER UPDATE OF minimum_commission_rate ON provider FOR EACH ROW
  WHEN (OLD.minimum_commission_rate IS DISTINCT FROM NEW.minimum_commission_rate)
  EXECUTE FUNCTION app.provider_rate_set();
