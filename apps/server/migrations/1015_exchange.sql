-- The exchanges as rows instead of lists in checks: a sixth one is an INSERT.
CREATE TABLE exchange (
  id text PRIMARY KEY CHECK (id ~ '^[a-z]+$'),
  name text NOT NULL UNIQUE CHECK (name <> '')
);
COMMENT ON TABLE exchange IS
  'Exchanges that traders can connect. The domain package has the same list, and a test compares them. A new one needs '
  'a place in app.invoice_cell as well, which is immutable and cannot read this table.';
COMMENT ON COLUMN exchange.name IS 'The exchange''s own spelling.';
REVOKE INSERT, UPDATE, DELETE ON exchange FROM copydesk_app;

INSERT INTO exchange (id, name) VALUES
  ('bybit', 'Bybit'), ('binance', 'Binance'), ('okx', 'OKX'), ('kucoin', 'KuCoin'), ('hyperliquid', 'Hyperliquid');

ALTER TABLE exchange_account DROP CONSTRAINT exchange_account_exchange_check,
  ADD CONSTRAINT exchange_account_exchange_fkey FOREIGN KEY (exchange) REFERENCES exchange;
ALTER TABLE account_reading DROP CONSTRAINT account_reading_exchange_check,
  ADD CONSTRAINT account_reading_exchange_fkey FOREIGN KEY (exchange) REFERENCES exchange;
ALTER TABLE invoice DROP CONSTRAINT invoice_exchange_check,
  ADD CONSTRAINT invoice_exchange_fkey FOREIGN KEY (exchange) REFERENCES exchange;

-- PostgreSQL has no foreign key of an array's elements. Rows of exchange are never deleted, so checking the provider's
-- side is enough.
CREATE FUNCTION app.check_supported_exchanges() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM unnest(NEW.supported_exchanges) s (id)
      WHERE NOT EXISTS (SELECT FROM exchange e WHERE e.id = s.id)) THEN
    RAISE EXCEPTION 'provider % supports an exchange that does not exist', NEW.id USING ERRCODE = 'foreign_key_violation',
      CONSTRAINT = 'provider_supported_exchanges_fkey';
  END IF;
  RETURN NEW;
END
$$;
ALTER TABLE provider DROP CONSTRAINT provider_supported_exchanges_check;
CREATE TRIGGER supported_exchanges_exist BEFORE INSERT OR UPDATE OF supported_exchanges ON provider
  FOR EACH ROW EXECUTE FUNCTION app.check_supported_exchanges();
