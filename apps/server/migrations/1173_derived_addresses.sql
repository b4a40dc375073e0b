-- Addresses that people are shown to pay to. Workers derive them from the seed, and the API takes them from there: it can
-- give a trader no other one.

CREATE TABLE deposit_address (
  deposit_index integer PRIMARY KEY,
  address text NOT NULL CONSTRAINT deposit_address_check CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  derived_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE deposit_address IS
  'The deposit address of each trader by its index, as a worker derived it from the seed, and of indexes to come.';
ALTER TABLE deposit_address ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_address_scope ON deposit_address FOR ALL USING ((SELECT app.sees_all()));
-- compatible: the table is new
REVOKE INSERT, UPDATE, DELETE ON deposit_address FROM copydesk_app;
GRANT INSERT ON deposit_address TO copydesk_worker;

CREATE FUNCTION app.refuse_own_address() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'addresses of wallets are derived by workers' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE FUNCTION app.refuse_other_address() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM deposit_address d WHERE d.deposit_index = NEW.deposit_index AND d.address = NEW.deposit_address)
  THEN
    RAISE EXCEPTION 'a deposit address is the one that a worker derived' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER trader_address_given BEFORE INSERT ON trader FOR EACH ROW
  WHEN (NEW.deposit_address IS NOT NULL AND app.is_api()) EXECUTE FUNCTION app.refuse_other_address();
CREATE TRIGGER trader_address_first BEFORE UPDATE ON trader FOR EACH ROW
  WHEN (OLD.deposit_address IS NULL AND NEW.deposit_address IS NOT NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_other_address();
CREATE TRIGGER trader_address_kept BEFORE UPDATE ON trader FOR EACH ROW
  WHEN (((OLD.deposit_address IS NOT NULL AND NEW.deposit_address IS DISTINCT FROM OLD.deposit_address)
    OR NEW.deposit_index <> OLD.deposit_index) AND app.is_api())
  EXECUTE FUNCTION app.refuse_own_address();

-- Only workers give addresses to communities and members of pools.
CREATE TRIGGER community_wallet_given BEFORE INSERT ON community FOR EACH ROW
  WHEN (NEW.internal_wallet_address IS NOT NULL AND app.is_api()) EXECUTE FUNCTION app.refuse_own_address();
CREATE TRIGGER community_wallet_kept BEFORE UPDATE ON community FOR EACH ROW
  WHEN ((NEW.internal_wallet_address IS DISTINCT FROM OLD.internal_wallet_address
    OR NEW.internal_wallet_index <> OLD.internal_wallet_index) AND app.is_api())
  EXECUTE FUNCTION app.refuse_own_address();
CREATE TRIGGER pool_member_address_given BEFORE INSERT ON pool_member FOR EACH ROW
  WHEN (NEW.deposit_address IS NOT NULL AND app.is_api()) EXECUTE FUNCTION app.refuse_own_address();

CREATE FUNCTION app.refuse_other_payment_address() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM trader t WHERE t.id = NEW.trader_id AND lower(t.deposit_address) = lower(NEW.payment_address)) THEN
    RAISE EXCEPTION 'an invoice is paid to the deposit address of its trader' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER invoice_address BEFORE INSERT ON invoice FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_other_payment_address();

-- Texts have the addresses of their own recipient, and no others.
CREATE FUNCTION app.refuse_other_address_in_text() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM regexp_matches(NEW.text, '0x[0-9a-f]{40}', 'gi') AS found (words)
    WHERE NOT EXISTS (SELECT FROM trader t WHERE t.id = NEW.trader_id AND lower(t.deposit_address) = lower(found.words[1]))
      AND NOT EXISTS (SELECT FROM pooled_account p
        WHERE p.community_id = NEW.community_id AND lower(p.proxy_address) = lower(found.words[1]))) THEN
    RAISE EXCEPTION 'a message has no address of anybody else' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER message_address BEFORE INSERT OR UPDATE OF text, trader_id, community_id ON message FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_other_address_in_text();
