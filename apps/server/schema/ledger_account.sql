-- Written by `npm run generate` from a migrated database. Do not edit.

-- Accounts of the ledger.
CREATE TABLE ledger_account (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  kind text NOT NULL,
  -- A trader, a community or an invoice; zeros for the platform, because equality finds zeros and not NULL.
  owner_id uuid NOT NULL,
  asset text NOT NULL,
  provider_id uuid,
  allow_negative boolean NOT NULL GENERATED ALWAYS AS (kind = 'platform') STORED,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Follows from the kind, like allow_negative: an insert cannot choose it.
  side smallint NOT NULL GENERATED ALWAYS AS (CASE
    WHEN kind = ANY (ARRAY['deposit_wallet', 'community_wallet', 'gas_wallet', 'receivable', 'gas_spent',
    'pool_proxy', 'pool_transit', 'pool_exchange', 'pool_shortfall', 'pool_deposit_wallet']) THEN 1
    ELSE '-1'::integer END) STORED,
  CONSTRAINT ledger_account_asset_check CHECK (asset = ANY (ARRAY['USDT', 'BNB'])),
  CONSTRAINT ledger_account_check1
    CHECK (provider_id IS NULL OR (kind = ANY (ARRAY['receivable', 'billed', 'held'])) OR kind ~~ 'payable\_%'),
  CONSTRAINT ledger_account_id_allow_negative_key UNIQUE (id, allow_negative),
  CONSTRAINT ledger_account_id_asset_key UNIQUE (id, asset),
  CONSTRAINT ledger_account_kind_check
    CHECK (kind = ANY (ARRAY['deposit_wallet', 'community_wallet', 'gas_wallet', 'receivable', 'gas_spent',
    'trader_deposit', 'billed', 'held', 'payable_mark', 'payable_community', 'payable_community_referrer',
    'payable_trader_referrer', 'payable_hexmount', 'payable_sixk', 'payable_tip', 'platform', 'pool_proxy',
    'pool_transit', 'pool_exchange', 'pool_shortfall', 'pool_deposit_wallet', 'pool_capital', 'pool_pending',
    'pool_returned', 'pool_fees_due', 'pool_unexplained'])),
  CONSTRAINT ledger_account_kind_owner_id_asset_key UNIQUE (kind, owner_id, asset),
  CONSTRAINT ledger_account_owner_check
    CHECK (owner_id <> '00000000-0000-0000-0000-000000000000'::uuid
    OR (kind = ANY (ARRAY['gas_wallet', 'gas_spent', 'platform']))),
  CONSTRAINT ledger_account_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_account_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

CREATE INDEX ledger_account_by_owner ON ledger_account (owner_id);

ALTER TABLE ledger_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_account FORCE ROW LEVEL SECURITY;
CREATE POLICY ledger_account_scope ON ledger_account FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[]))
    OR (kind = ANY (ARRAY['trader_deposit', 'deposit_wallet'])) AND (EXISTS (SELECT FROM trader t
    WHERE t.id = ledger_account.owner_id)))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER ledger_account_added AFTER INSERT ON ledger_account REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.open_balances();
CREATE TRIGGER ledger_account_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_account FOR EACH STATEMENT
  EXECUTE FUNCTION app.refuse_change();
