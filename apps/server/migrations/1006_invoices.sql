-- Invoices, the money that pays them, and the messages about them. Token amounts are whole base units (USDT on BNB
-- Smart Chain has 18 decimals); USD figures are decimals.

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
  split jsonb NOT NULL,
  due_at timestamptz NOT NULL,
  paid_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  settlement_journal_id uuid REFERENCES journal,
  off_platform_units numeric(38, 0) NOT NULL DEFAULT 0,
  off_platform_reason text CHECK (off_platform_reason IN ('not_on_chain', 'settled_before_check')),
  amount_rank float8 NOT NULL GENERATED ALWAYS AS (amount_units::float8) STORED,
  CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CHECK ((status = 'paid') = (settled_by IS NOT NULL)),
  -- A pending invoice is owed at least in part. One that is not could neither be paid nor settled, and would block
  -- every later payment of its trader.
  CONSTRAINT invoice_open_is_owed CHECK (status <> 'pending' OR paid_units < amount_units),
  -- An invoice paid on chain was paid in full: its tips come on top.
  CONSTRAINT invoice_paid_on_chain_in_full CHECK (settled_by <> 'chain' OR paid_units >= amount_units),
  CONSTRAINT invoice_off_platform CHECK ((off_platform_units = 0) = (off_platform_reason IS NULL)),
  CHECK (off_platform_units >= 0 AND off_platform_units <= amount_units)
);
COMMENT ON TABLE invoice IS
  'Invoices. The terms of an invoice are frozen when it is created; only its state changes, and it is never deleted.';
COMMENT ON COLUMN invoice.split IS 'Parts of the amount by recipient type, frozen at creation.';
COMMENT ON COLUMN invoice.settlement_journal_id IS
  'The journal by which a person settled the invoice, while that settlement stands.';
COMMENT ON COLUMN invoice.off_platform_units IS
  'Part of the imported payments that was not found on chain: none of it becomes payable.';
COMMENT ON COLUMN invoice.amount_rank IS 'See trader.aum_rank.';
CREATE INDEX invoice_by_community ON invoice (community_id, created_at DESC);
CREATE INDEX invoice_by_provider ON invoice (provider_id, created_at DESC);
CREATE INDEX invoice_open ON invoice (trader_id, due_at) WHERE status = 'pending' AND NOT is_archived;
-- An invoice carries its split and is wide. The indexes by creation and by amount include the columns that filters and
-- sums read, so that a range of either is added up from the index alone.
CREATE INDEX invoice_by_created ON invoice (created_at, id)
  INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units, paid_units,
    due_at, updated_at);
CREATE INDEX invoice_by_updated ON invoice (updated_at, id) INCLUDE (provider_id, trader_id, is_archived);
CREATE INDEX invoice_by_status ON invoice (status, created_at, id) INCLUDE (provider_id, trader_id, is_archived);
-- Open invoices by due date: whether one is overdue changes by the hour and cannot be kept as a sum.
CREATE INDEX invoice_by_due ON invoice (due_at)
  INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units, paid_units,
    created_at, updated_at)
  WHERE status = 'pending' AND NOT is_archived;
-- Includes everything that filters and sums read: groups are added up in this order, one after the other.
CREATE INDEX invoice_by_trader ON invoice (trader_id, created_at)
  INCLUDE (provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units, paid_units, due_at,
    updated_at);
CREATE INDEX invoice_by_amount ON invoice (amount_rank, amount_units, id)
  INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, paid_units, due_at,
    created_at, updated_at);

ALTER TABLE invoice ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_scope ON invoice
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE TABLE payment (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  open_units numeric(38, 0) NOT NULL CHECK (open_units BETWEEN 0 AND amount_units),
  source_type text NOT NULL CHECK (source_type ~ '^[a-z_]+$'),
  source_id text NOT NULL CHECK (source_id <> ''),
  transaction_hash text CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  received_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (source_type, source_id)
);
COMMENT ON TABLE payment IS 'Money received for a trader, once for each source.';
COMMENT ON COLUMN payment.open_units IS 'The part that no invoice has taken yet.';
CREATE INDEX payment_by_trader ON payment (trader_id, received_at);
CREATE INDEX payment_open ON payment (trader_id) WHERE open_units > 0;

ALTER TABLE payment ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment FORCE ROW LEVEL SECURITY;
CREATE POLICY payment_scope ON payment USING ((SELECT app.sees_all()));

-- A payment that an invoice takes is announced with the invoice; one that waits for an invoice would otherwise go
-- unannounced. No provider has a part in it yet, so the event is for super admins.
CREATE FUNCTION app.payments_booked() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT DISTINCT 'trader', trader_id, '{}'::uuid[] FROM added;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER payments_booked AFTER INSERT ON payment
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payments_booked();

CREATE TABLE invoice_payment (
  payment_id uuid NOT NULL REFERENCES payment ON DELETE RESTRICT,
  invoice_id uuid NOT NULL REFERENCES invoice ON DELETE RESTRICT,
  provider_id uuid REFERENCES provider,
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  tip_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (tip_units BETWEEN 0 AND amount_units),
  transaction_hash text,
  received_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (payment_id, invoice_id)
);
COMMENT ON TABLE invoice_payment IS
  'The part of a payment that went to an invoice, and the tip in it. Visible with the invoice.';
CREATE INDEX invoice_payment_by_invoice ON invoice_payment (invoice_id);
CREATE INDEX invoice_payment_by_provider ON invoice_payment (provider_id);
-- The beginning of a transaction hash is a range of bytes, that of an invoice's id a range of ids.
CREATE INDEX invoice_payment_by_hash ON invoice_payment (transaction_hash COLLATE "C")
  WHERE transaction_hash IS NOT NULL;

ALTER TABLE invoice_payment ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_payment FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_payment_scope ON invoice_payment
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE TABLE community_day (
  community_id uuid NOT NULL REFERENCES community ON DELETE CASCADE,
  provider_id uuid REFERENCES provider,
  day date NOT NULL,
  equity numeric(28, 8),
  received_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (received_units >= 0),
  UNIQUE NULLS NOT DISTINCT (community_id, day, provider_id)
);
COMMENT ON TABLE community_day IS
  'AUM and money received by community and day. Adding them up from snapshots and payments would read millions of '
  'rows for a year of one community.';
COMMENT ON COLUMN community_day.provider_id IS 'NULL: invoices whose provider is unknown.';
COMMENT ON COLUMN community_day.equity IS
  'Sum of the day''s equity snapshots in USD, written by a job. NULL: none was taken.';
COMMENT ON COLUMN community_day.received_units IS 'Amounts received on invoices, kept by a trigger.';

ALTER TABLE community_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE community_day FORCE ROW LEVEL SECURITY;
CREATE POLICY community_day_scope ON community_day
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()));

-- Payments are written once and never changed, so the sums only grow.
CREATE FUNCTION app.payments_received() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  -- In one order, so that two payments of the same days do not wait for each other in a circle.
  INSERT INTO community_day AS d (community_id, provider_id, day, received_units)
  SELECT i.community_id, a.provider_id, app.utc_day(a.received_at), sum(a.amount_units)
  FROM added a JOIN invoice i ON i.id = a.invoice_id GROUP BY 1, 2, 3 ORDER BY 1, 3, 2
  ON CONFLICT (community_id, day, provider_id)
  DO UPDATE SET received_units = d.received_units + excluded.received_units;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER payments_received AFTER INSERT ON invoice_payment
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payments_received();

CREATE TABLE chain_cursor (
  chain_id integer NOT NULL,
  token_address text NOT NULL CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  block_hash text NOT NULL CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
  stopped_because text,
  updated_at timestamptz NOT NULL DEFAULT now(),
  needs_review boolean NOT NULL DEFAULT false,
  PRIMARY KEY (chain_id, token_address),
  CONSTRAINT chain_cursor_review CHECK (NOT needs_review OR stopped_because IS NOT NULL)
);
COMMENT ON TABLE chain_cursor IS 'How far the deposit loop has read the chain.';
COMMENT ON COLUMN chain_cursor.block_number IS
  'The last final block whose transfers are booked. Reading stops when the chain reports another block_hash for it.';
COMMENT ON COLUMN chain_cursor.stopped_because IS 'Why reading is stopped; set as long as it is.';
COMMENT ON COLUMN chain_cursor.needs_review IS
  'Whether a person must clear the reason. Otherwise the next range that is read clears it.';

ALTER TABLE chain_cursor ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_cursor FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_cursor_scope ON chain_cursor USING ((SELECT app.sees_all()));

CREATE TABLE deposit (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  payment_id uuid REFERENCES payment ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (chain_id, transaction_hash, log_index)
);
COMMENT ON TABLE deposit IS 'A transfer to a deposit address, found in a final block.';
CREATE INDEX deposit_by_trader ON deposit (trader_id, block_number DESC);

ALTER TABLE deposit ENABLE ROW LEVEL SECURITY;
ALTER TABLE deposit FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_scope ON deposit USING ((SELECT app.sees_all()));

CREATE TABLE deposit_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  confirmed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE deposit_key IS
  'The account key whose private half a worker holds. Addresses are derived from this key only: tokens at an '
  'address of another key could not be spent.';

ALTER TABLE deposit_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE deposit_key FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_key_scope ON deposit_key USING ((SELECT app.sees_all()));

CREATE TABLE deposit_set_aside (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount_units numeric(78, 0) NOT NULL CHECK (amount_units >= 0),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  reason text NOT NULL CHECK (reason IN ('amount_too_large', 'cannot_be_booked')),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (chain_id, transaction_hash, log_index)
);
COMMENT ON TABLE deposit_set_aside IS
  'A transfer to a deposit address that cannot be booked. It is kept for review, and reading continues.';
COMMENT ON COLUMN deposit_set_aside.amount_units IS 'Any amount that a token contract can report: below 2^256.';
CREATE INDEX deposit_set_aside_newest ON deposit_set_aside (created_at DESC, id);

ALTER TABLE deposit_set_aside ENABLE ROW LEVEL SECURITY;
ALTER TABLE deposit_set_aside FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_set_aside_scope ON deposit_set_aside USING ((SELECT app.sees_all()));

CREATE TABLE message (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid REFERENCES provider,
  invoice_id uuid REFERENCES invoice,
  kind text NOT NULL CHECK (kind IN
    ('invoice_created', 'invoice_due_soon', 'invoice_overdue', 'invoice_paid', 'unpaid_invoices')),
  language text NOT NULL CHECK (language IN ('en', 'es', 'ar', 'pl', 'ru')),
  text text NOT NULL CHECK (text <> ''),
  dedupe_key text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  problem text,
  problem_detail text,
  telegram_message_id bigint,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
COMMENT ON TABLE message IS
  'Messages to traders, written in the transaction of the fact they report and sent afterwards.';
COMMENT ON COLUMN message.provider_id IS
  'The provider whose staff may read it. NULL: it covers invoices of several providers.';
COMMENT ON COLUMN message.text IS 'The text as sent; never changed.';
COMMENT ON COLUMN message.dedupe_key IS 'Prevents a second message about the same fact.';
COMMENT ON COLUMN message.problem IS
  'Why the last attempt failed: a code of ours; problem_detail has the answer of the Bot API.';
CREATE INDEX message_by_trader ON message (trader_id, created_at DESC, id);
CREATE INDEX message_by_invoice ON message (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX message_by_provider ON message (provider_id, created_at DESC, id);
CREATE INDEX message_by_created ON message (created_at DESC, id);
CREATE INDEX message_queued ON message (due_at) WHERE state = 'queued';
CREATE INDEX message_failed ON message (created_at DESC, id) WHERE state = 'failed';

ALTER TABLE message ENABLE ROW LEVEL SECURITY;
ALTER TABLE message FORCE ROW LEVEL SECURITY;
CREATE POLICY message_scope ON message
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

CREATE TRIGGER message_queued AFTER INSERT ON message FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER message_again AFTER UPDATE OF state ON message
  FOR EACH ROW WHEN (NEW.state = 'queued' AND OLD.state <> 'queued') EXECUTE FUNCTION app.announce_work();

-- Consoles that show the trader learn whether a message arrived.
CREATE FUNCTION app.message_moved() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids)
  VALUES ('trader', NEW.trader_id, CASE WHEN NEW.provider_id IS NULL THEN '{}'::uuid[] ELSE ARRAY[NEW.provider_id] END);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER message_moved AFTER UPDATE OF state ON message
  FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION app.message_moved();

-- Records about money stay: the application may change their state, and nothing else.
REVOKE UPDATE, DELETE ON invoice, payment, invoice_payment, deposit, deposit_key, deposit_set_aside FROM copydesk_app;
REVOKE DELETE ON community_day, chain_cursor FROM copydesk_app;
GRANT UPDATE (paid_units, status, settled_by, is_archived, paid_at, updated_at, settlement_journal_id,
    off_platform_units, off_platform_reason)
  ON invoice TO copydesk_app;
GRANT UPDATE (open_units) ON payment TO copydesk_app;
GRANT UPDATE (payment_id) ON deposit TO copydesk_app;
