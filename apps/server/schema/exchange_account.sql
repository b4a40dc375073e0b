-- Written by `npm run generate` from a migrated database. Do not edit.

-- Accounts of traders on exchanges, connected through a provider.
CREATE TABLE exchange_account (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  trader_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  exchange text NOT NULL,
  acc_uid text NOT NULL,
  account_type text,
  master_address text,
  agent_address text,
  -- Whether the key may withdraw; null: the exchange does not say
  may_withdraw boolean,
  equity numeric(28,8),
  equity_read_at timestamptz,
  read_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  connected_at timestamptz NOT NULL DEFAULT now(),
  -- A removed account stays while positions refer to it, without credentials and out of every sum.
  removed_at timestamptz,
  -- The regional platform of the exchange that knows the key, as in eea; null: its main one.
  region text,
  -- When the exchange ends the key, as it last said. NULL: never, or the exchange does not say.
  key_expires_at timestamptz,
  -- When the exchange was last asked about the key. NULL: not yet, or it says nothing of its end.
  key_read_at timestamptz,
  CONSTRAINT exchange_account_account_type_check CHECK (account_type = ANY (ARRAY['master', 'subaccount'])),
  CONSTRAINT exchange_account_check CHECK ((exchange = 'hyperliquid') = (master_address IS NOT NULL)),
  CONSTRAINT exchange_account_exchange_fkey FOREIGN KEY (exchange) REFERENCES exchange(id),
  CONSTRAINT exchange_account_pkey PRIMARY KEY (id),
  CONSTRAINT exchange_account_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT exchange_account_region_check CHECK (region ~ '^[a-z]{2,8}$'),
  CONSTRAINT exchange_account_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
);

CREATE INDEX exchange_account_by_exchange ON exchange_account (exchange, trader_id);
CREATE INDEX exchange_account_by_provider ON exchange_account (provider_id, exchange, trader_id);
CREATE INDEX exchange_account_by_trader ON exchange_account (trader_id, provider_id);
CREATE INDEX exchange_account_failing ON exchange_account (exchange, read_error)
  WHERE removed_at IS NULL AND read_error IS NOT NULL;
CREATE INDEX exchange_account_key_ends ON exchange_account (key_expires_at)
  WHERE removed_at IS NULL AND key_expires_at IS NOT NULL;
CREATE UNIQUE INDEX exchange_account_once ON exchange_account (exchange, acc_uid) WHERE removed_at IS NULL;
CREATE INDEX exchange_account_unread ON exchange_account (trader_id, provider_id)
  WHERE removed_at IS NULL AND equity IS NULL;

ALTER TABLE exchange_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_account FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_account_scope ON exchange_account FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))
  WITH CHECK ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[]))
    AND (EXISTS (SELECT FROM trader t WHERE t.id = exchange_account.trader_id)));

CREATE TRIGGER account_held AFTER UPDATE OF removed_at, connected_at ON exchange_account FOR EACH ROW
  WHEN (old.removed_at IS DISTINCT FROM new.removed_at OR old.connected_at <> new.connected_at)
  EXECUTE FUNCTION app.account_connected();
CREATE TRIGGER account_held_first AFTER INSERT ON exchange_account FOR EACH ROW
  EXECUTE FUNCTION app.account_connected();
CREATE TRIGGER accounts_deleted AFTER DELETE ON exchange_account REFERENCING OLD TABLE AS old_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.accounts_written();
CREATE TRIGGER accounts_inserted AFTER INSERT ON exchange_account REFERENCING NEW TABLE AS new_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.accounts_written();
CREATE TRIGGER accounts_updated AFTER UPDATE ON exchange_account
  REFERENCING OLD TABLE AS old_accounts NEW TABLE AS new_accounts FOR EACH STATEMENT
  EXECUTE FUNCTION app.accounts_written();
CREATE TRIGGER texts_deleted AFTER DELETE ON exchange_account REFERENCING OLD TABLE AS old_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.account_texts_written();
CREATE TRIGGER texts_inserted AFTER INSERT ON exchange_account REFERENCING NEW TABLE AS new_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION app.account_texts_written();
CREATE TRIGGER texts_updated AFTER UPDATE ON exchange_account
  REFERENCING OLD TABLE AS old_accounts NEW TABLE AS new_accounts FOR EACH STATEMENT
  EXECUTE FUNCTION app.account_texts_written();
