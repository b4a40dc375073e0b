-- Making invoices, booking what is paid on them, telling traders of it, and views that people keep.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

-- What an invoice says is frozen when it is made; only what became of it changes, and it never goes away.
-- The journal by which a person settled it, while it stands so.
ALTER TABLE invoice ADD COLUMN settlement_journal_id uuid REFERENCES journal;
REVOKE UPDATE, DELETE, TRUNCATE ON invoice FROM copydesk_app;
GRANT UPDATE (paid_units, status, settled_by, is_archived, paid_at, updated_at, settlement_journal_id)
  ON invoice TO copydesk_app;

-- A position is invoiced once, for ever.
CREATE FUNCTION app.refuse_other_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'closed position % was invoiced', OLD.id USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER invoiced_once BEFORE UPDATE OF invoice_id, closed_pnl ON closed_position
  FOR EACH ROW WHEN (OLD.invoice_id IS NOT NULL
    AND (NEW.invoice_id, NEW.closed_pnl) IS DISTINCT FROM (OLD.invoice_id, OLD.closed_pnl))
  EXECUTE FUNCTION app.refuse_other_invoice();
CREATE TRIGGER invoiced_stays BEFORE DELETE ON closed_position
  FOR EACH ROW WHEN (OLD.invoice_id IS NOT NULL) EXECUTE FUNCTION app.refuse_other_invoice();

-- One walk over the traders that have something to invoice, in the order of their ids. A worker that has it to itself
-- makes a batch and moves the mark in one transaction; the version fences one off that lost it meanwhile.
CREATE TABLE invoicing_run (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Whose positions: of one trader, of one community, or everybody's.
  trader_id uuid REFERENCES trader ON DELETE CASCADE,
  community_id uuid REFERENCES community ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done')),
  version integer NOT NULL DEFAULT 1,
  leased_until timestamptz,
  -- The last trader that is done.
  after_trader_id uuid,
  traders integer NOT NULL DEFAULT 0,
  positions integer NOT NULL DEFAULT 0,
  invoices integer NOT NULL DEFAULT 0,
  amount_units numeric(38, 0) NOT NULL DEFAULT 0,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  CHECK (num_nonnulls(trader_id, community_id) < 2),
  CHECK ((state = 'done') = (finished_at IS NOT NULL))
);
-- What is being walked already is not walked twice at once.
CREATE UNIQUE INDEX invoicing_run_under_way ON invoicing_run (coalesce(trader_id, community_id)) NULLS NOT DISTINCT
  WHERE state = 'running';
CREATE INDEX invoicing_run_by_created ON invoicing_run (created_at DESC, id);

-- Traders that a run could not invoice; their positions wait for the next one.
CREATE TABLE invoicing_problem (
  run_id uuid NOT NULL REFERENCES invoicing_run ON DELETE CASCADE,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  reason text NOT NULL CHECK (reason IN ('split_exceeds_invoice', 'no_deposit_address', 'failed')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, trader_id)
);

-- Money that came in for a trader, from one source once.
CREATE TABLE payment (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  -- Not put to an invoice yet.
  open_units numeric(38, 0) NOT NULL CHECK (open_units BETWEEN 0 AND amount_units),
  source_type text NOT NULL CHECK (source_type ~ '^[a-z_]+$'),
  source_id text NOT NULL CHECK (source_id <> ''),
  transaction_hash text CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  received_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (source_type, source_id)
);
CREATE INDEX payment_by_trader ON payment (trader_id, received_at);
CREATE INDEX payment_open ON payment (trader_id) WHERE open_units > 0;

-- What of a payment went to an invoice, and how much of that was above it. Seen with the invoice.
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
CREATE INDEX invoice_payment_by_invoice ON invoice_payment (invoice_id);
CREATE INDEX invoice_payment_by_provider ON invoice_payment (provider_id);

-- Where shares go. An address that is not known yet holds up the payout, not the booking.
ALTER TABLE provider ADD COLUMN payout_address text CHECK (payout_address ~ '^0x[0-9a-fA-F]{40}$');
CREATE TABLE platform_recipient (
  recipient_type text PRIMARY KEY CHECK (recipient_type IN ('hexmount', 'sixk', 'tip')),
  address text CHECK (address ~ '^0x[0-9a-fA-F]{40}$')
);
INSERT INTO platform_recipient (recipient_type) VALUES ('hexmount'), ('sixk'), ('tip');
ALTER TABLE payable ALTER COLUMN recipient_address DROP NOT NULL;
ALTER TABLE payable ADD CHECK (recipient_address IS NOT NULL OR payout_id IS NULL);
-- A share is due once; a tip with each payment that brought one.
ALTER TABLE payable ADD COLUMN payment_id uuid REFERENCES payment CHECK (payment_id IS NULL OR recipient_type = 'tip');
ALTER TABLE payable DROP CONSTRAINT payable_invoice_id_recipient_type_key;
CREATE UNIQUE INDEX payable_once ON payable (invoice_id, recipient_type, payment_id) NULLS NOT DISTINCT;

-- What traders are told, written with the fact it tells of and sent afterwards.
CREATE TABLE message (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  -- Whose staff may read it; NULL: it speaks of invoices of several providers.
  provider_id uuid REFERENCES provider,
  invoice_id uuid REFERENCES invoice,
  kind text NOT NULL CHECK (kind IN
    ('invoice_created', 'invoice_due_soon', 'invoice_overdue', 'invoice_paid', 'unpaid_invoices')),
  language text NOT NULL CHECK (language IN ('en', 'es', 'ar', 'pl', 'ru')),
  -- As it is sent; frozen.
  text text NOT NULL CHECK (text <> ''),
  -- The same fact is told once.
  dedupe_key text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  lease_number bigint NOT NULL DEFAULT 0,
  -- Why the last attempt did not arrive: a code of ours, and what the Bot API said.
  problem text,
  problem_detail text,
  telegram_message_id bigint,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
CREATE INDEX message_by_trader ON message (trader_id, created_at DESC, id);
CREATE INDEX message_by_invoice ON message (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX message_by_provider ON message (provider_id, created_at DESC, id);
CREATE INDEX message_by_created ON message (created_at DESC, id);
CREATE INDEX message_queued ON message (due_at) WHERE state = 'queued';
CREATE INDEX message_failed ON message (created_at DESC, id) WHERE state = 'failed';

CREATE FUNCTION app.announce_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('copydesk_work', TG_TABLE_NAME);
  RETURN NULL;
END
$$;
CREATE TRIGGER message_queued AFTER INSERT ON message FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER message_again AFTER UPDATE OF state ON message
  FOR EACH ROW WHEN (NEW.state = 'queued' AND OLD.state <> 'queued') EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER invoicing_run_begun AFTER INSERT ON invoicing_run
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

-- That a message arrived or not is told to those who look at the trader.
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

-- Filters that a person keeps under a name.
CREATE TABLE saved_view (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id text NOT NULL,
  screen text NOT NULL CHECK (screen IN ('invoices')),
  name text NOT NULL CHECK (name <> ''),
  query text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, screen, name)
);

DO $$
DECLARE
  scoped text;
BEGIN
  FOREACH scoped IN ARRAY ARRAY['invoice_payment', 'message'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', scoped);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', scoped);
    EXECUTE format($policy$CREATE POLICY %I ON %I
      USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))$policy$,
      scoped || '_scope', scoped);
  END LOOP;
  -- A run and a payment concern invoices of any provider: super admins and the worker.
  FOREACH scoped IN ARRAY ARRAY['invoicing_run', 'invoicing_problem', 'payment'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', scoped);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', scoped);
    EXECUTE format('CREATE POLICY %I ON %I USING ((SELECT app.sees_all()))', scoped || '_scope', scoped);
  END LOOP;
END
$$;
REVOKE UPDATE, DELETE, TRUNCATE ON payment, invoice_payment FROM copydesk_app;
GRANT UPDATE (open_units) ON payment TO copydesk_app;
