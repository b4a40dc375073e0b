-- Positions as read from the exchanges, invoices on their profit, and what is paid out of them.
-- Token amounts are whole base units (USDT on BNB Smart Chain: 18 decimals); USD figures are decimals.

CREATE TABLE open_position (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES exchange_account ON DELETE CASCADE,
  trader_id uuid NOT NULL REFERENCES trader,
  provider_id uuid NOT NULL REFERENCES provider,
  symbol text NOT NULL,
  side text NOT NULL CHECK (side IN ('long', 'short')),
  entry_price numeric NOT NULL,
  mark_price numeric,
  leverage numeric,
  contracts numeric NOT NULL,
  unrealized_pnl numeric,
  opened_at timestamptz,
  read_at timestamptz NOT NULL,
  UNIQUE (account_id, symbol, side)
);
CREATE INDEX open_position_by_trader ON open_position (trader_id);
CREATE INDEX open_position_by_provider ON open_position (provider_id);

CREATE TABLE invoice (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  community_id uuid NOT NULL REFERENCES community,
  provider_id uuid REFERENCES provider,
  invoice_type text NOT NULL DEFAULT 'regular' CHECK (invoice_type IN ('regular', 'exchange_bot')),
  exchange text CHECK (exchange IN ('bybit', 'binance', 'okx', 'kucoin', 'hyperliquid')),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  paid_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (paid_units >= 0),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'paid', 'cancelled')),
  settled_by text CHECK (settled_by IN ('chain', 'manual')),
  is_archived boolean NOT NULL DEFAULT false,
  payment_address text NOT NULL CHECK (payment_address ~ '^0x[0-9a-fA-F]{40}$'),
  commission_rate numeric(5, 4) NOT NULL CHECK (commission_rate BETWEEN 0 AND 1),
  -- Parts of the amount by recipient type, frozen at creation.
  split jsonb NOT NULL,
  due_at timestamptz NOT NULL,
  paid_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CHECK ((status = 'paid') = (settled_by IS NOT NULL))
);
CREATE INDEX invoice_by_trader ON invoice (trader_id, created_at DESC);
CREATE INDEX invoice_by_created ON invoice (created_at DESC, id);
CREATE INDEX invoice_by_community ON invoice (community_id, created_at DESC);
CREATE INDEX invoice_by_provider ON invoice (provider_id, created_at DESC);
CREATE INDEX invoice_open ON invoice (trader_id, due_at) WHERE status = 'pending' AND NOT is_archived;

CREATE TABLE closed_position (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES exchange_account ON DELETE RESTRICT,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  provider_id uuid NOT NULL REFERENCES provider,
  -- The exchange's own id of the closed position: what makes a second reading an update.
  venue_id text NOT NULL,
  symbol text NOT NULL,
  side text NOT NULL CHECK (side IN ('long', 'short')),
  entry_price numeric,
  exit_price numeric,
  leverage numeric,
  contracts numeric,
  closed_pnl numeric,
  fees_included boolean NOT NULL DEFAULT false,
  opened_at timestamptz,
  closed_at timestamptz NOT NULL,
  -- A position is invoiced once, for ever.
  invoice_id uuid REFERENCES invoice ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, venue_id)
);
CREATE INDEX closed_position_by_trader ON closed_position (trader_id, closed_at DESC, id);
CREATE INDEX closed_position_by_provider ON closed_position (provider_id, closed_at DESC);
CREATE INDEX closed_position_by_invoice ON closed_position (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX closed_position_to_invoice ON closed_position (trader_id, provider_id)
  WHERE invoice_id IS NULL AND closed_pnl > 0;

-- Equity at the end of a day (UTC) as each provider sees it; communities and providers are sums of these.
CREATE TABLE equity_snapshot (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  day date NOT NULL,
  equity numeric(28, 8) NOT NULL,
  PRIMARY KEY (trader_id, provider_id, day)
);
CREATE INDEX equity_snapshot_by_provider ON equity_snapshot (provider_id, day);

CREATE TABLE payout (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL REFERENCES community,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN
    ('pending', 'consolidating', 'consolidated', 'distributing', 'distributed', 'failed')),
  version integer NOT NULL DEFAULT 1,
  recipient_type text NOT NULL CHECK (recipient_type IN
    ('mark', 'community', 'community_referrer', 'trader_referrer', 'hexmount', 'sixk', 'tip')),
  recipient_address text NOT NULL CHECK (recipient_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  consolidate_transaction_hash text CHECK (consolidate_transaction_hash ~ '^0x[0-9a-f]{64}$'),
  distribute_transaction_hash text CHECK (distribute_transaction_hash ~ '^0x[0-9a-f]{64}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (status <> 'distributed' OR distribute_transaction_hash IS NOT NULL)
);
CREATE INDEX payout_by_created ON payout (created_at DESC, id);
CREATE INDEX payout_by_community ON payout (community_id, created_at DESC);

-- One recipient's share of a paid invoice. It is paid by at most one payout.
CREATE TABLE payable (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  invoice_id uuid NOT NULL REFERENCES invoice ON DELETE RESTRICT,
  community_id uuid NOT NULL REFERENCES community,
  provider_id uuid REFERENCES provider,
  recipient_type text NOT NULL CHECK (recipient_type IN
    ('mark', 'community', 'community_referrer', 'trader_referrer', 'hexmount', 'sixk', 'tip')),
  recipient_address text NOT NULL CHECK (recipient_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  payout_id uuid REFERENCES payout ON DELETE RESTRICT,
  paid_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (invoice_id, recipient_type),
  CHECK (paid_at IS NULL OR payout_id IS NOT NULL)
);
CREATE INDEX payable_by_payout ON payable (payout_id, provider_id);
CREATE INDEX payable_by_provider ON payable (provider_id);
CREATE INDEX payable_pending ON payable (community_id) WHERE payout_id IS NULL;

DO $$
DECLARE
  scoped text;
BEGIN
  FOREACH scoped IN ARRAY ARRAY['open_position', 'closed_position', 'equity_snapshot', 'invoice', 'payable'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', scoped);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', scoped);
    EXECUTE format($policy$CREATE POLICY %I ON %I
      USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))$policy$,
      scoped || '_scope', scoped);
  END LOOP;
END
$$;

ALTER TABLE payout ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_scope ON payout
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM payable p WHERE p.payout_id = payout.id
      AND p.provider_id = ANY ((SELECT app.provider_ids())::uuid[])));
