-- Invoices, the runs that make them, what is deducted from them, and what recipients get of them.

CREATE TABLE invoice (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  community_id uuid NOT NULL REFERENCES community,
  provider_id uuid REFERENCES provider,
  invoice_type text NOT NULL DEFAULT 'regular' CHECK (invoice_type IN ('regular', 'exchange_bot')),
  exchange text REFERENCES exchange,
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  paid_units numeric(38,0) NOT NULL DEFAULT 0 CHECK (paid_units >= 0),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'paid', 'cancelled')),
  settled_by text CHECK (settled_by IN ('chain', 'manual', 'pool')),
  is_archived boolean NOT NULL DEFAULT false,
  payment_address text NOT NULL CHECK (payment_address ~ '^0x[0-9a-fA-F]{40}$'),
  commission_rate numeric(5,4) NOT NULL CHECK (commission_rate >= 0 AND commission_rate <= 1),
  split jsonb NOT NULL,
  due_at timestamptz NOT NULL,
  paid_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  settlement_journal_id uuid REFERENCES journal,
  off_platform_units numeric(38,0) NOT NULL DEFAULT 0,
  off_platform_reason text CHECK (off_platform_reason IN ('not_on_chain', 'settled_before_check')),
  amount_rank double precision NOT NULL GENERATED ALWAYS AS (amount_units::double precision) STORED,
  harvest_cycle_id uuid,
  invoicing_run_id uuid,
  recalled_at timestamptz,
  CONSTRAINT invoice_check CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CONSTRAINT invoice_check1 CHECK ((status = 'paid') = (settled_by IS NOT NULL)),
  CONSTRAINT invoice_check2 CHECK (off_platform_units >= 0 AND off_platform_units <= amount_units),
  CONSTRAINT invoice_of_pool CHECK (settled_by <> 'pool' OR harvest_cycle_id IS NOT NULL),
  CONSTRAINT invoice_off_platform CHECK ((off_platform_units = 0) = (off_platform_reason IS NULL)),
  -- A pending invoice is owed at least in part. One that is not could neither be paid nor settled, and would block
  -- every later payment of its trader.
  CONSTRAINT invoice_open_is_owed CHECK (status <> 'pending' OR paid_units < amount_units),
  -- An invoice paid on chain was paid in full: its tips come on top.
  CONSTRAINT invoice_paid_on_chain_in_full CHECK (settled_by <> 'chain' OR paid_units >= amount_units),
  CONSTRAINT invoice_recalled_is_cancelled
    CHECK (recalled_at IS NULL OR status = 'cancelled' AND paid_units = 0 AND invoice_type = 'regular')
);
COMMENT ON TABLE invoice IS
  'Invoices. The terms of an invoice are frozen when it is created, except that a coupon may lower an order with a bot before anything was paid: by its buyer, or by an order of a person. Apart from that only its state changes, and it is never deleted.';
COMMENT ON COLUMN invoice.split IS 'Parts of the amount by recipient type, frozen at creation.';
COMMENT ON COLUMN invoice.settlement_journal_id IS
  'The journal by which a person settled the invoice, while that settlement stands.';
COMMENT ON COLUMN invoice.off_platform_units IS
  'Part of the imported payments that was not found on chain: none of it becomes payable.';
COMMENT ON COLUMN invoice.amount_rank IS 'See trader.aum_rank.';
COMMENT ON COLUMN invoice.harvest_cycle_id IS
  'The cycle whose fee it is: the pool pays it out of its member''s virtual balance. NULL: the trader pays it.';
COMMENT ON COLUMN invoice.invoicing_run_id IS
  'The run that made it. NULL: no run, or one of the time before this was noted.';
COMMENT ON COLUMN invoice.recalled_at IS
  'When a person recalled it: it is cancelled, and its positions come with a later invoice.';
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
CREATE INDEX invoice_by_cycle ON invoice (harvest_cycle_id) WHERE harvest_cycle_id IS NOT NULL;
CREATE INDEX invoice_owed ON invoice (due_at) INCLUDE (trader_id, provider_id, amount_units, paid_units)
  WHERE status = 'pending' AND NOT is_archived AND harvest_cycle_id IS NULL AND invoice_type = 'regular';
-- The invoices of a run, as it is recalled.
CREATE INDEX invoice_by_run ON invoice (invoicing_run_id) WHERE invoicing_run_id IS NOT NULL;
-- Runs say how much of them was recalled.
CREATE INDEX invoice_recalled_of_run ON invoice (invoicing_run_id) INCLUDE (amount_units)
  WHERE recalled_at IS NOT NULL;

ALTER TABLE invoice ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_scope ON invoice
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

-- The sums follow. Providers of the invoices, before or now, receive the change. A statement that writes many invoices
-- raises one event a trader: consoles reload everything after 500 events at once.
CREATE FUNCTION app.invoices_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text;
  ids uuid[];
  traders uuid[];
  providers uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id), array_agg(trader_id), array_agg(provider_id) INTO ids, traders, providers FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(id), array_agg(trader_id), array_agg(provider_id) INTO ids, traders, providers FROM taken;
  ELSE
    SELECT array_agg(id), array_agg(trader_id), array_agg(provider_id) INTO ids, traders, providers
    FROM (SELECT id, trader_id, provider_id FROM added UNION SELECT id, trader_id, provider_id FROM taken) both_sides;
  END IF;
  IF ids IS NOT NULL THEN
    PERFORM app.refresh_invoice_sums(ARRAY(SELECT DISTINCT unnest(traders)));
    caller_scope := app.open_scope();
    INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
    SELECT 'invoice', w.id, w.trader_id,
      coalesce(array_agg(DISTINCT w.provider_id) FILTER (WHERE w.provider_id IS NOT NULL), '{}')
    FROM (SELECT CASE WHEN cardinality(ids) <= 100 THEN i.id END, i.trader_id, i.provider_id
          FROM unnest(ids, traders, providers) i (id, trader_id, provider_id)) w (id, trader_id, provider_id)
    GROUP BY w.id, w.trader_id;
    PERFORM set_config('copydesk.scope', caller_scope, true);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER invoices_added AFTER INSERT ON invoice
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();
CREATE TRIGGER invoices_changed AFTER UPDATE ON invoice
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();
CREATE TRIGGER invoices_taken AFTER DELETE ON invoice
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();

-- What buyers do by the bot, a worker writes: they could cancel and order again at the lower price, and owe nothing.
CREATE FUNCTION app.refuse_other_terms() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.invoice_type <> 'exchange_bot' OR OLD.status <> 'pending' OR OLD.paid_units <> 0
    OR NEW.amount_units >= OLD.amount_units THEN
    RAISE EXCEPTION 'the terms of invoice % are frozen', OLD.id USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF app.is_api() AND NOT EXISTS (
    SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
    WHERE l.subject_id = NEW.id AND l.amount_units >= OLD.amount_units - NEW.amount_units
      AND o.act = 'sale_discounted' AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now())
  THEN
    RAISE EXCEPTION 'what is owed is lowered by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER invoice_terms BEFORE UPDATE OF amount_units, split ON invoice FOR EACH ROW
  WHEN (app.is_application()
    AND (NEW.amount_units, NEW.split) IS DISTINCT FROM (OLD.amount_units, OLD.split))
  EXECUTE FUNCTION app.refuse_other_terms();

-- By statement: an act takes thousands of invoices. The order is made or approved in the same transaction.
CREATE FUNCTION app.refuse_write_off() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  -- Paid on chain is what `app.take_payments` made it; the fee of a pool is paid by its transfer.
  IF EXISTS (SELECT FROM added n JOIN taken e ON e.id = n.id
      WHERE n.settled_by IS DISTINCT FROM e.settled_by AND n.settled_by IN ('chain', 'pool')) THEN
    RAISE EXCEPTION 'an invoice is paid by payments' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF EXISTS (
    SELECT FROM added n JOIN taken e ON e.id = n.id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN e.status <> 'pending' THEN NULL
      WHEN n.status = 'cancelled' THEN 'sale_cancelled'
      WHEN n.status = 'paid' AND n.settled_by = 'manual' THEN 'invoices_paid_off_platform'
      WHEN n.is_archived AND NOT e.is_archived THEN 'invoices_archived' END AS act) w
    WHERE w.act IS NOT NULL AND NOT EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = n.id AND l.amount_units >= e.amount_units - e.paid_units
        AND o.act = w.act AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now()))
  THEN
    RAISE EXCEPTION 'what is unpaid is written off by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER invoices_written_off AFTER UPDATE ON invoice
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_write_off();

-- The API makes orders with bots, which are unpaid.
CREATE FUNCTION app.refuse_paid_invoice() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a new invoice is unpaid' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER invoice_unpaid BEFORE INSERT ON invoice FOR EACH ROW
  WHEN ((NEW.paid_units <> 0 OR NEW.off_platform_units <> 0 OR NEW.status <> 'pending' OR NEW.is_archived
    OR NEW.harvest_cycle_id IS NOT NULL) AND app.is_api())
  EXECUTE FUNCTION app.refuse_paid_invoice();

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

-- An invoice uses a part, or gives it back where it is cancelled. The lock comes first, in a statement of its own: the
-- next one sees what a transaction that held it has changed.
CREATE FUNCTION app.deduction_used() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  changed uuid[];
BEGIN
  IF TG_TABLE_NAME = 'invoice' THEN
    changed := ARRAY(SELECT u.deduction_id FROM invoice_deduction_use u WHERE u.invoice_id = NEW.id);
  ELSE
    changed := ARRAY[NEW.deduction_id];
  END IF;
  PERFORM FROM invoice_deduction d WHERE d.id = ANY (changed) ORDER BY d.id FOR NO KEY UPDATE;
  UPDATE invoice_deduction d SET is_open = app.deduction_left(d) > 0
  WHERE d.id = ANY (changed) AND d.is_open <> (app.deduction_left(d) > 0);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER deduction_given_back AFTER UPDATE OF status ON invoice FOR EACH ROW
  WHEN ((OLD.status = 'cancelled') <> (NEW.status = 'cancelled')) EXECUTE FUNCTION app.deduction_used();

-- Records about money stay: the application may change their state, and nothing else.
-- A coupon changes the amount of an order that nothing was paid on. No other invoice ever changes its terms.
REVOKE UPDATE, DELETE ON invoice FROM copydesk_app;
GRANT UPDATE (amount_units, status, settled_by, is_archived, split, paid_at, updated_at, settlement_journal_id,
  off_platform_units, off_platform_reason) ON invoice TO copydesk_app;
GRANT UPDATE (paid_units) ON invoice TO copydesk_worker;

CREATE TABLE invoicing_run (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  trader_id uuid REFERENCES trader ON DELETE CASCADE,
  community_id uuid REFERENCES community ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'running'
    CHECK (state IN ('preparing', 'draft', 'running', 'sending', 'done', 'discarded')),
  version bigint NOT NULL DEFAULT 1,
  leased_until timestamptz,
  after_trader_id uuid,
  traders integer NOT NULL DEFAULT 0,
  positions integer NOT NULL DEFAULT 0,
  invoices integer NOT NULL DEFAULT 0,
  amount_units numeric(38,0) NOT NULL DEFAULT 0,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  drafted_at timestamptz,
  sent_by text,
  to_invoice integer NOT NULL DEFAULT 0,
  excluded integer NOT NULL DEFAULT 0,
  excluded_units numeric(38,0) NOT NULL DEFAULT 0,
  carried integer NOT NULL DEFAULT 0,
  carried_units numeric(38,0) NOT NULL DEFAULT 0,
  left_out integer NOT NULL DEFAULT 0,
  CONSTRAINT invoicing_run_check CHECK (num_nonnulls(trader_id, community_id) < 2),
  CONSTRAINT invoicing_run_finished CHECK ((state IN ('done', 'discarded')) = (finished_at IS NOT NULL))
);
COMMENT ON TABLE invoicing_run IS
  'One walk over the traders with something to invoice, in the order of their ids. A worker with the lease creates '
  'a batch and moves the mark in one transaction; the version fences off a worker that lost the lease.';
COMMENT ON COLUMN invoicing_run.trader_id IS
  'The run covers one trader, one community (community_id), or everything.';
COMMENT ON COLUMN invoicing_run.after_trader_id IS 'The last trader that is done.';
COMMENT ON COLUMN invoicing_run.drafted_at IS
  'Of a run that was prepared as a draft: it invoices what was stored until then. NULL: it was sent at once.';
COMMENT ON COLUMN invoicing_run.to_invoice IS 'Its lines by outcome, as excluded, carried and left_out.';

ALTER TABLE invoice ADD CONSTRAINT invoice_invoicing_run_id_fkey FOREIGN KEY (invoicing_run_id)
  REFERENCES invoicing_run(id);

-- Two runs never walk the same traders at once.
CREATE UNIQUE INDEX invoicing_run_under_way ON invoicing_run (coalesce(trader_id, community_id)) NULLS NOT DISTINCT
  WHERE state = 'running';
CREATE INDEX invoicing_run_by_created ON invoicing_run (created_at DESC, id);
-- Drafts that wait for a person.
CREATE INDEX invoicing_run_drafted ON invoicing_run (drafted_at) WHERE state = 'draft';

ALTER TABLE invoicing_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoicing_run FORCE ROW LEVEL SECURITY;
CREATE POLICY invoicing_run_scope ON invoicing_run USING ((SELECT app.sees_all()));

CREATE TRIGGER invoicing_run_begun AFTER INSERT ON invoicing_run
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER invoicing_run_sent AFTER UPDATE OF state ON invoicing_run FOR EACH ROW
  WHEN (NEW.state = 'sending' AND OLD.state = 'draft') EXECUTE FUNCTION app.announce_work();

CREATE TABLE invoicing_problem (
  run_id uuid NOT NULL REFERENCES invoicing_run ON DELETE CASCADE,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  reason text NOT NULL CHECK (reason IN ('split_exceeds_invoice', 'no_deposit_address', 'failed', 'unknown_profit')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, trader_id)
);
COMMENT ON TABLE invoicing_problem IS 'Read and written by the version before only; invoicing_line has it since.';

ALTER TABLE invoicing_problem ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoicing_problem FORCE ROW LEVEL SECURITY;
CREATE POLICY invoicing_problem_scope ON invoicing_problem USING ((SELECT app.sees_all()));

CREATE TABLE payable (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  invoice_id uuid NOT NULL REFERENCES invoice ON DELETE RESTRICT,
  community_id uuid NOT NULL REFERENCES community,
  provider_id uuid REFERENCES provider,
  recipient_type text NOT NULL
    CHECK (recipient_type IN ('mark', 'community', 'community_referrer', 'trader_referrer', 'hexmount', 'sixk',
    'tip')),
  recipient_address text CHECK (recipient_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  payout_id uuid,
  paid_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  payment_id uuid,
  consolidation_id uuid,
  settled_at timestamptz,
  CONSTRAINT payable_check CHECK (paid_at IS NULL OR payout_id IS NOT NULL),
  CONSTRAINT payable_check1 CHECK (recipient_address IS NOT NULL OR payout_id IS NULL),
  CONSTRAINT payable_check2 CHECK (payment_id IS NULL OR recipient_type = 'tip'),
  CONSTRAINT payable_settled CHECK (settled_at IS NULL OR paid_at IS NULL AND payout_id IS NULL)
);
COMMENT ON TABLE payable IS 'A recipient''s part of a paid invoice. At most one payout pays it.';
COMMENT ON COLUMN payable.payment_id IS 'A payable is due once; a tip is due once for each payment that brought one.';
COMMENT ON COLUMN payable.consolidation_id IS
  'The transfer that brings the money into the community''s wallet; NULL until it is ordered.';
COMMENT ON COLUMN payable.settled_at IS
  'Set for a part of an imported invoice without money on chain: it is not paid out.';
CREATE INDEX payable_by_payout ON payable (payout_id, provider_id);
CREATE INDEX payable_by_provider ON payable (provider_id);
CREATE UNIQUE INDEX payable_once ON payable (invoice_id, recipient_type, payment_id) NULLS NOT DISTINCT;
CREATE INDEX payable_by_consolidation ON payable (consolidation_id) WHERE consolidation_id IS NOT NULL;
-- A payable is paid in the transaction that marks its payout as distributed, and stays paid: days are added up from the
-- index alone.
CREATE INDEX payable_paid ON payable (community_id, paid_at) INCLUDE (provider_id, amount_units)
  WHERE paid_at IS NOT NULL;
CREATE INDEX payable_unpaid ON payable (community_id) WHERE paid_at IS NULL AND settled_at IS NULL;
-- What is owed to a provider, or to the platform, without every share that it ever had.
CREATE INDEX payable_owed_to ON payable (recipient_type, provider_id) INCLUDE (amount_units)
  WHERE payout_id IS NULL AND settled_at IS NULL;
-- Whether who referred a community ever had a share of it.
CREATE INDEX payable_of_referrer ON payable (community_id) WHERE recipient_type = 'community_referrer';
-- Also what row-level security reads: sums over shares that are due then never read the rows themselves.
CREATE INDEX payable_due ON payable (community_id, recipient_type) INCLUDE (provider_id, amount_units)
  WHERE payout_id IS NULL AND settled_at IS NULL;

ALTER TABLE payable ENABLE ROW LEVEL SECURITY;
ALTER TABLE payable FORCE ROW LEVEL SECURITY;
-- Only transactions that see everything write payables and payouts: payouts are visible through the payables in them.
CREATE POLICY payable_scope ON payable
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()));

-- Sums of payouts depend on the payables that a payout pays, their providers and their amounts. An update of anything
-- else changes no sum: of an order of thousands, a quarter of the time went into recomputing them.
CREATE FUNCTION app.payables_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM added WHERE payout_id IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM taken WHERE payout_id IS NOT NULL;
  ELSE
    SELECT array_agg(DISTINCT side.payout_id) INTO touched
    FROM added a JOIN taken t ON t.id = a.id
    CROSS JOIN LATERAL (VALUES (a.payout_id), (t.payout_id)) side (payout_id)
    WHERE side.payout_id IS NOT NULL
      AND (a.payout_id, a.provider_id, a.amount_units)
        IS DISTINCT FROM (t.payout_id, t.provider_id, t.amount_units);
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.payouts_touched(touched);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER payables_added AFTER INSERT ON payable
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();
CREATE TRIGGER payables_changed AFTER UPDATE ON payable
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();
CREATE TRIGGER payables_taken AFTER DELETE ON payable
  REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();

-- pending-shares.views.ts has the same addresses, and their holds. By statement: an order takes thousands of shares.
CREATE FUNCTION app.refuse_other_recipient() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT app.is_api() THEN
    RETURN NULL;
  ELSIF NOT app.sees_all() THEN
    RAISE EXCEPTION 'shares are ordered with the whole scope' USING ERRCODE = 'insufficient_privilege';
  ELSIF EXISTS (
    SELECT FROM added y JOIN taken e ON e.id = y.id
    LEFT JOIN payout o ON o.id = y.payout_id
    LEFT JOIN community c ON c.id = y.community_id
    LEFT JOIN provider p ON p.id = y.provider_id
    LEFT JOIN platform_recipient platform ON platform.recipient_type = y.recipient_type
    LEFT JOIN LATERAL (
      SELECT r.id, t.id::text AS referred_id, r.external_wallet_address AS address FROM invoice i
      JOIN trader t ON t.id = i.trader_id JOIN trader r ON r.id = t.referred_by_trader_id
      WHERE i.id = y.invoice_id) referrer ON y.recipient_type = 'trader_referrer'
    CROSS JOIN LATERAL (SELECT
      CASE y.recipient_type WHEN 'mark' THEN p.payout_address WHEN 'community' THEN c.external_wallet_address
        WHEN 'community_referrer' THEN c.referrer_wallet_address WHEN 'trader_referrer' THEN referrer.address
        ELSE platform.address END AS address,
      CASE y.recipient_type WHEN 'mark' THEN 'provider' WHEN 'community' THEN 'community'
        WHEN 'community_referrer' THEN 'community_referrer' WHEN 'trader_referrer' THEN 'trader'
        ELSE 'platform' END AS owner_kind,
      CASE y.recipient_type WHEN 'mark' THEN y.provider_id::text WHEN 'community' THEN y.community_id::text
        WHEN 'community_referrer' THEN y.community_id::text WHEN 'trader_referrer' THEN referrer.id::text
        ELSE y.recipient_type END AS owner_id) w
    WHERE (y.payout_id IS DISTINCT FROM e.payout_id OR y.recipient_address IS DISTINCT FROM e.recipient_address)
      AND CASE WHEN y.payout_id IS NULL THEN y.recipient_address IS DISTINCT FROM e.recipient_address
        ELSE o.community_id <> y.community_id OR y.recipient_address IS DISTINCT FROM o.recipient_address
          OR lower(o.recipient_address) IS DISTINCT FROM lower(coalesce(w.address, e.recipient_address))
          OR EXISTS (SELECT FROM payout_address_change h WHERE h.owner_kind = w.owner_kind AND h.owner_id = w.owner_id
            AND app.is_held(h.released_at, h.changed_at, app.address_hold()))
          OR EXISTS (SELECT FROM payout_address_change h WHERE h.owner_kind = 'trader_referrer'
            AND h.owner_id = referrer.referred_id AND app.is_held(h.released_at, h.changed_at, app.address_hold())) END)
  THEN
    RAISE EXCEPTION 'a share is paid to the present address of its recipient, after its hold'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER payables_to_known_addresses AFTER UPDATE ON payable
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_other_recipient();

REVOKE UPDATE, DELETE ON payable FROM copydesk_app;
GRANT UPDATE (recipient_address, payout_id, settled_at) ON payable TO copydesk_app;
GRANT UPDATE ON payable TO copydesk_worker;

-- One bit for each combination of status, type and exchange. The result is NULL for an exchange missing from the list.
CREATE FUNCTION app.invoice_cell(status text, invoice_type text, exchange text) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN 1::bigint << (
    array_position(ARRAY['pending', 'paid', 'cancelled'], status) - 1
    + 3 * (array_position(ARRAY['regular', 'exchange_bot'], invoice_type) - 1)
    + 6 * CASE WHEN exchange IS NULL THEN 0
      ELSE array_position(ARRAY['bybit', 'binance', 'okx', 'kucoin', 'hyperliquid'], exchange) END);
GRANT EXECUTE ON FUNCTION app.invoice_cell(text, text, text) TO copydesk_app;

CREATE TABLE invoice_part (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid REFERENCES provider,
  community_id uuid NOT NULL REFERENCES community,
  exchange text,
  invoice_type text NOT NULL,
  status text NOT NULL,
  is_archived boolean NOT NULL,
  reference text,
  invoices integer NOT NULL,
  part_paid integer NOT NULL,
  overpaid integer NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  paid_units numeric(38, 0) NOT NULL,
  last_created timestamptz NOT NULL,
  last_updated timestamptz NOT NULL,
  first_created timestamptz NOT NULL,
  min_amount numeric(38, 0) NOT NULL,
  max_amount numeric(38, 0) NOT NULL,
  first_due timestamptz,
  last_due timestamptz,
  on_chain_units numeric(38, 0) NOT NULL,
  off_platform_units numeric(38, 0) NOT NULL,
  CHECK (app.invoice_cell(status, invoice_type, exchange) IS NOT NULL),
  UNIQUE NULLS NOT DISTINCT (trader_id, is_archived, provider_id, community_id, exchange, invoice_type, status)
    INCLUDE (reference, invoices, amount_units, last_created, last_updated)
);
COMMENT ON TABLE invoice_part IS
  'Sums of the invoices of a trader by every column with few values: a filter by any of these adds up a few rows a '
  'trader and never the invoices. Kept by triggers.';
COMMENT ON COLUMN invoice_part.reference IS
  'The trader''s reference number. NULL: it has none, and its invoices belong to the group of all traders without '
  'one.';
COMMENT ON COLUMN invoice_part.first_due IS
  'Earliest due date of the open invoices, which are neither settled nor archived; last_due is the latest.';
CREATE INDEX invoice_part_by_provider ON invoice_part (provider_id, trader_id);
CREATE INDEX invoice_part_by_community ON invoice_part (community_id);
-- Where a filter divides groups, these indexes give the newest first.
CREATE INDEX invoice_part_by_created ON invoice_part (last_created);
CREATE INDEX invoice_part_by_updated ON invoice_part (last_updated);
-- The provider share of a group depends on the type of its invoices: the index of the group without reference numbers
-- answers alone only if it has the type.
CREATE INDEX invoice_part_without_reference ON invoice_part (trader_id)
  INCLUDE (provider_id, is_archived, reference, invoice_type, status, invoices, part_paid, overpaid, amount_units,
    paid_units, on_chain_units, off_platform_units, last_created, last_updated)
  WHERE reference IS NULL;
-- Workers list the traders that owe every few seconds: paid and archived invoices, which only grow, are left out.
CREATE INDEX invoice_part_owing ON invoice_part (trader_id) WHERE status = 'pending' AND NOT is_archived;

ALTER TABLE invoice_part ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_part FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_part_scope ON invoice_part
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

-- Triggers alone write the sums.
REVOKE INSERT, UPDATE, DELETE ON invoice_part FROM copydesk_app;

CREATE TABLE invoice_group (
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  provider_id uuid REFERENCES provider,
  is_whole boolean NOT NULL GENERATED ALWAYS AS (provider_id IS NULL) STORED,
  is_archived boolean NOT NULL,
  reference text,
  tab text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN is_archived THEN 'archived' WHEN unpaid = 0 THEN 'paid' WHEN pending > 0 THEN 'unpaid'
      ELSE 'other' END) STORED,
  invoices integer NOT NULL,
  unpaid integer NOT NULL,
  part_paid integer NOT NULL,
  overpaid integer NOT NULL,
  amount_units numeric(38, 0) NOT NULL,
  paid_units numeric(38, 0) NOT NULL,
  last_created timestamptz NOT NULL,
  last_updated timestamptz NOT NULL,
  cells bigint NOT NULL,
  first_created timestamptz NOT NULL,
  min_amount numeric(38, 0) NOT NULL,
  max_amount numeric(38, 0) NOT NULL,
  unpaid_first_created timestamptz,
  unpaid_last_created timestamptz,
  unpaid_min_amount numeric(38, 0),
  unpaid_max_amount numeric(38, 0),
  first_due timestamptz,
  last_due timestamptz,
  is_shared boolean NOT NULL,
  searched text GENERATED ALWAYS AS (lower(reference)) STORED,
  pending integer NOT NULL,
  pending_first_created timestamptz,
  pending_last_created timestamptz,
  pending_min_amount numeric(38, 0),
  pending_max_amount numeric(38, 0),
  whole_invoices integer NOT NULL,
  amount_rank float8 NOT NULL GENERATED ALWAYS AS (amount_units::float8) STORED,
  UNIQUE NULLS NOT DISTINCT (trader_id, is_archived, provider_id)
);
COMMENT ON TABLE invoice_group IS
  'A row of the grouped view, for one provider or for all together (is_whole). An index serves each order of each '
  'tab. Kept by triggers.';
COMMENT ON COLUMN invoice_group.provider_id IS
  'NULL: the sum over all providers, visible only to transactions that see everything.';
COMMENT ON COLUMN invoice_group.tab IS
  'A group is unpaid while one of its invoices is pending. A group that is neither (paid and cancelled invoices '
  'together) is shown under All.';
COMMENT ON COLUMN invoice_group.cells IS
  'The combinations of app.invoice_cell that occur in the group. Together with the ranges of dates and amounts, it '
  'decides whether any invoice of the group matches a filter: counting by tab needs no more.';
COMMENT ON COLUMN invoice_group.unpaid_first_created IS
  'The unpaid_ columns are the ranges of dates and amounts of the invoices that are not paid.';
COMMENT ON COLUMN invoice_group.is_shared IS
  'Whether other providers have invoices of the trader as well. Staff of several providers add up these groups, '
  'and read the others as they are.';
COMMENT ON COLUMN invoice_group.searched IS 'The reference number for search, in lower case.';
COMMENT ON COLUMN invoice_group.pending_first_created IS
  'The pending_ columns are the ranges of dates and amounts of the pending invoices.';
COMMENT ON COLUMN invoice_group.whole_invoices IS
  'Invoices of all providers together: more than invoices where a provider sees a part.';
COMMENT ON COLUMN invoice_group.amount_rank IS 'See trader.aum_rank.';
-- Row-level security reads the provider of each row: an index answers alone only if it includes the column.
CREATE INDEX invoice_group_by_created ON invoice_group (tab, last_created, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_by_updated ON invoice_group (tab, last_updated, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_created ON invoice_group (provider_id, tab, last_created, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_updated ON invoice_group (provider_id, tab, last_updated, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_shared ON invoice_group (provider_id, trader_id) WHERE is_shared AND NOT is_whole;
CREATE INDEX invoice_group_by_reference ON invoice_group (reference, trader_id);
CREATE INDEX invoice_group_by_amount ON invoice_group (tab, amount_rank, amount_units, trader_id)
  INCLUDE (provider_id, is_archived, searched) WHERE is_whole AND reference IS NOT NULL;
CREATE INDEX invoice_group_of_provider_by_amount
  ON invoice_group (provider_id, tab, amount_rank, amount_units, trader_id)
  INCLUDE (is_shared, is_archived, searched) WHERE NOT is_whole AND reference IS NOT NULL;

ALTER TABLE invoice_group ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_group FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_group_scope ON invoice_group
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

-- Triggers alone write the sums.
REVOKE INSERT, UPDATE, DELETE ON invoice_group FROM copydesk_app;

-- What an exchange corrected after it was invoiced is deducted from the trader's next invoice of the same community and
-- provider, where a super admin decides so. No money moves.
CREATE TABLE invoice_deduction (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  kind text NOT NULL CHECK (kind IN ('corrected_close', 'doubled_close')),
  subject_id uuid NOT NULL REFERENCES closed_position,
  seen text NOT NULL,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  community_id uuid NOT NULL REFERENCES community,
  provider_id uuid NOT NULL REFERENCES provider,
  invoice_id uuid NOT NULL REFERENCES invoice,
  commission_rate numeric(5,4) NOT NULL,
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  split jsonb NOT NULL,
  decided_by text NOT NULL,
  decided_by_id text NOT NULL,
  decided_at timestamptz NOT NULL DEFAULT now(),
  ended_units numeric(38,0),
  ended_at timestamptz,
  ended_by text,
  ended_by_id text,
  is_open boolean NOT NULL DEFAULT true,
  CONSTRAINT invoice_deduction_kind_subject_id_seen_key UNIQUE (kind, subject_id, seen)
);
COMMENT ON TABLE invoice_deduction IS
  'What is deducted from next invoices, because an exchange corrected what an earlier invoice charged.';
COMMENT ON COLUMN invoice_deduction.invoice_id IS 'The invoice that charged it.';
COMMENT ON COLUMN invoice_deduction.split IS 'Its parts by recipient type, as that invoice was split.';
COMMENT ON COLUMN invoice_deduction.ended_units IS
  'The unused part that a super admin ended; NULL: none. It may be deducted again where the exchange corrects again.';
COMMENT ON COLUMN invoice_deduction.is_open IS 'Whether deduction_left is above 0. Kept by triggers.';
CREATE INDEX invoice_deduction_by_trader ON invoice_deduction (trader_id, provider_id);
CREATE INDEX invoice_deduction_by_subject ON invoice_deduction (subject_id);
CREATE INDEX invoice_deduction_by_invoice ON invoice_deduction (invoice_id);
CREATE INDEX invoice_deduction_open ON invoice_deduction (decided_at DESC, id) WHERE is_open;

ALTER TABLE invoice_deduction ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_deduction FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_deduction_scope ON invoice_deduction FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

-- Whoever has the API cannot deduct more than an exchange corrected, nor for somebody else.
CREATE FUNCTION app.refuse_deduction()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('copydesk.deduction ' || NEW.subject_id, 0));
  IF NEW.ended_units IS NOT NULL OR NOT EXISTS (
    SELECT FROM closed_position p JOIN invoice i ON i.id = p.invoice_id
    WHERE p.id = NEW.subject_id AND i.id = NEW.invoice_id AND NOT app.is_given_up(i)
      AND (NEW.trader_id, NEW.community_id, NEW.provider_id, NEW.commission_rate)
        = (i.trader_id, i.community_id, i.provider_id, i.commission_rate)
      AND NEW.amount_units + coalesce((SELECT sum(d.amount_units - coalesce(d.ended_units, 0)) FROM invoice_deduction d
          WHERE d.subject_id = p.id), 0)
        <= CASE NEW.kind WHEN 'corrected_close' THEN greatest(p.closed_pnl - p.corrected_pnl, 0)
            ELSE CASE WHEN p.double_of IS NOT NULL THEN p.closed_pnl END END
          * i.commission_rate * 1000000000000000000)
    OR NEW.amount_units <> (SELECT sum((part ->> 'units')::numeric) FROM jsonb_array_elements(NEW.split) part) THEN
    RAISE EXCEPTION 'a deduction is what an exchange corrected of an invoice' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE TRIGGER deduction_founded BEFORE INSERT ON invoice_deduction FOR EACH ROW
  EXECUTE FUNCTION app.refuse_deduction();

CREATE FUNCTION app.deduction_ended() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  NEW.is_open := app.deduction_left(NEW) > 0;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$$;

CREATE TRIGGER deduction_ended BEFORE UPDATE OF ended_units ON invoice_deduction FOR EACH ROW
  EXECUTE FUNCTION app.deduction_ended();

REVOKE UPDATE, DELETE ON invoice_deduction FROM copydesk_app;

CREATE TABLE invoice_deduction_use (
  deduction_id uuid NOT NULL REFERENCES invoice_deduction,
  invoice_id uuid NOT NULL REFERENCES invoice,
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  PRIMARY KEY (deduction_id, invoice_id)
);
COMMENT ON TABLE invoice_deduction_use IS 'The line of a deduction on an invoice: its amount is less by it.';
CREATE INDEX invoice_deduction_use_by_invoice ON invoice_deduction_use (invoice_id);

ALTER TABLE invoice_deduction_use ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_deduction_use FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_deduction_use_scope ON invoice_deduction_use FOR ALL
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM invoice_deduction d WHERE d.id = deduction_id));

CREATE TRIGGER deduction_used AFTER INSERT ON invoice_deduction_use FOR EACH ROW EXECUTE FUNCTION app.deduction_used();

REVOKE INSERT, UPDATE, DELETE ON invoice_deduction_use FROM copydesk_app;
GRANT INSERT ON invoice_deduction_use TO copydesk_worker;

CREATE TABLE invoicing_line (
  run_id uuid NOT NULL REFERENCES invoicing_run(id) ON DELETE CASCADE,
  trader_id uuid NOT NULL REFERENCES trader(id) ON DELETE CASCADE,
  invoices integer NOT NULL DEFAULT 0 CHECK (invoices >= 0),
  positions integer NOT NULL DEFAULT 0 CHECK (positions >= 0),
  amount_units numeric(38,0) NOT NULL DEFAULT 0 CHECK (amount_units >= 0),
  carried_units numeric(38,0) NOT NULL DEFAULT 0 CHECK (carried_units >= 0),
  reason text CHECK (reason IN ('split_exceeds_invoice', 'no_deposit_address', 'failed', 'unknown_profit', 'changed',
    'invoicing_off', 'nothing_due')),
  is_excluded boolean NOT NULL DEFAULT false,
  outcome text NOT NULL GENERATED ALWAYS AS (CASE WHEN is_excluded THEN 'excluded' WHEN invoices > 0 THEN 'invoice'
    WHEN carried_units > 0 THEN 'carried' ELSE 'left_out' END) STORED,
  PRIMARY KEY (run_id, trader_id),
  CHECK (NOT is_excluded OR invoices > 0)
);
COMMENT ON TABLE invoicing_line IS 'A trader of a run: what is invoiced, or why it is not.';
COMMENT ON COLUMN invoicing_line.carried_units IS 'Below the minimum of an invoice: it waits for more.';
COMMENT ON COLUMN invoicing_line.reason IS 'Why something is not invoiced, beside what is.';
COMMENT ON COLUMN invoicing_line.is_excluded IS 'A person left the trader out of this run.';
CREATE INDEX invoicing_line_by_amount ON invoicing_line (run_id, amount_units DESC, trader_id);
CREATE INDEX invoicing_line_by_outcome ON invoicing_line (run_id, outcome, amount_units DESC, trader_id);
CREATE INDEX invoicing_line_with_reason ON invoicing_line (run_id, reason) WHERE reason IS NOT NULL;
CREATE INDEX invoicing_line_by_trader ON invoicing_line (trader_id);

ALTER TABLE invoicing_line ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoicing_line FORCE ROW LEVEL SECURITY;
CREATE POLICY invoicing_line_scope ON invoicing_line USING ((SELECT app.sees_all()));

ALTER TABLE closed_position ADD CONSTRAINT closed_position_invoice_id_fkey FOREIGN KEY (invoice_id)
  REFERENCES invoice(id) ON DELETE RESTRICT;

ALTER TABLE recalled_position ADD CONSTRAINT recalled_position_invoice_id_fkey FOREIGN KEY (invoice_id)
  REFERENCES invoice(id);

-- The part of the paid amount that is known to have arrived on chain.
CREATE FUNCTION app.on_chain_units(paid numeric, off_platform numeric) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN greatest(paid - off_platform, 0);
GRANT EXECUTE ON FUNCTION app.on_chain_units(numeric, numeric) TO copydesk_app;

-- The part settled off the platform: what an import claims and the chain does not have, and everything open when a
-- person marked the invoice as paid.
CREATE FUNCTION app.settled_elsewhere(status text, settled_by text, amount numeric, paid numeric, off_platform numeric)
  RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN status = 'paid' AND settled_by = 'manual'
    THEN greatest(amount - app.on_chain_units(paid, off_platform), 0) ELSE off_platform END;
GRANT EXECUTE ON FUNCTION app.settled_elsewhere(text, text, numeric, numeric, numeric) TO copydesk_app;

-- Adds up the invoices of these traders again. A trader has few, and a full sum cannot drift. Locking the traders first
-- makes concurrent changes of two invoices of one trader add up: the later one computes from what the earlier one
-- committed. (NO KEY: each already holds the key of the trader through its foreign key.)
CREATE FUNCTION app.refresh_invoice_sums(trader_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM invoice_part WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_part (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived,
    reference, invoices, part_paid, overpaid, amount_units, paid_units, on_chain_units, off_platform_units,
    last_created, last_updated, first_created, min_amount, max_amount, first_due, last_due)
  SELECT i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived,
    -- A reference number that reads like the name of the group of those without one belongs to that group.
    nullif(min(t.reference_number), 'unknown'), count(*)::int,
    count(*) FILTER (WHERE i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units)::int,
    count(*) FILTER (WHERE app.is_overpaid(i.amount_units, i.paid_units))::int,
    sum(i.amount_units), sum(i.paid_units), sum(app.on_chain_units(i.paid_units, i.off_platform_units)),
    sum(app.settled_elsewhere(i.status, i.settled_by, i.amount_units, i.paid_units, i.off_platform_units)),
    max(i.created_at), max(i.updated_at), min(i.created_at), min(i.amount_units), max(i.amount_units),
    CASE WHEN i.status = 'pending' AND NOT i.is_archived THEN min(i.due_at) END,
    CASE WHEN i.status = 'pending' AND NOT i.is_archived THEN max(i.due_at) END
  FROM invoice i JOIN trader t ON t.id = i.trader_id
  WHERE i.trader_id = ANY (trader_ids)
  GROUP BY i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived;

  DELETE FROM invoice_group WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_group (trader_id, provider_id, is_archived, is_shared, reference, invoices, whole_invoices,
    unpaid, pending, part_paid, overpaid, amount_units, paid_units, last_created, last_updated, cells, first_created,
    min_amount, max_amount, unpaid_first_created, unpaid_last_created, unpaid_min_amount, unpaid_max_amount,
    pending_first_created, pending_last_created, pending_min_amount, pending_max_amount, first_due, last_due)
  SELECT p.trader_id, seen.provider_id, p.is_archived,
    count(seen.provider_id) OVER (PARTITION BY p.trader_id, p.is_archived) > 1,
    min(p.reference), sum(p.invoices)::int,
    max(CASE WHEN seen.provider_id IS NULL THEN sum(p.invoices) END) OVER (PARTITION BY p.trader_id, p.is_archived)::int,
    coalesce(sum(p.invoices) FILTER (WHERE p.status <> 'paid'), 0)::int,
    coalesce(sum(p.invoices) FILTER (WHERE p.status = 'pending'), 0)::int,
    sum(p.part_paid)::int, sum(p.overpaid)::int,
    sum(p.amount_units), sum(p.paid_units), max(p.last_created), max(p.last_updated),
    bit_or(app.invoice_cell(p.status, p.invoice_type, p.exchange)), min(p.first_created), min(p.min_amount),
    max(p.max_amount), min(p.first_created) FILTER (WHERE p.status <> 'paid'),
    max(p.last_created) FILTER (WHERE p.status <> 'paid'), min(p.min_amount) FILTER (WHERE p.status <> 'paid'),
    max(p.max_amount) FILTER (WHERE p.status <> 'paid'), min(p.first_created) FILTER (WHERE p.status = 'pending'),
    max(p.last_created) FILTER (WHERE p.status = 'pending'), min(p.min_amount) FILTER (WHERE p.status = 'pending'),
    max(p.max_amount) FILTER (WHERE p.status = 'pending'), min(p.first_due), max(p.last_due)
  FROM invoice_part p
  CROSS JOIN LATERAL (SELECT NULL::uuid AS provider_id
    UNION ALL SELECT p.provider_id WHERE p.provider_id IS NOT NULL) seen
  WHERE p.trader_id = ANY (trader_ids)
  GROUP BY p.trader_id, seen.provider_id, p.is_archived;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- Traders are asked for whole millionths of a USDT, rounded up: who pays what was asked has not overpaid.
CREATE FUNCTION app.is_overpaid(amount_units numeric, paid_units numeric) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN paid_units - amount_units >= 1000000000000;
GRANT EXECUTE ON FUNCTION app.is_overpaid(numeric, numeric) TO copydesk_app;

-- What was asked for is not asked for any more until the next run: within the limit of what one person writes off.
CREATE FUNCTION app.is_write_off(act text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN act IN ('invoices_paid_off_platform', 'invoices_archived', 'invoices_recalled', 'sale_cancelled',
    'sale_discounted');
COMMENT ON FUNCTION app.is_write_off(text) IS
  'Whether an order gives up what was owed. WRITE_OFF_ACTS in the domain package has the same acts.';
GRANT EXECUTE ON FUNCTION app.is_write_off(text) TO copydesk_app;

CREATE FUNCTION app.deduction_left(deduction invoice_deduction) RETURNS numeric
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT (deduction).amount_units - coalesce((deduction).ended_units, 0) - coalesce(sum(u.amount_units), 0)
  FROM invoice_deduction_use u JOIN invoice i ON i.id = u.invoice_id
  -- A cancelled invoice gives it back.
  WHERE u.deduction_id = (deduction).id AND i.status <> 'cancelled';
END;
COMMENT ON FUNCTION app.deduction_left(invoice_deduction) IS 'What no invoice has used yet, base units.';
GRANT EXECUTE ON FUNCTION app.deduction_left(invoice_deduction) TO copydesk_app;

-- Whoever owes nothing for an invoice was charged nothing by it.
CREATE FUNCTION app.is_given_up(i invoice) RETURNS boolean
  LANGUAGE sql IMMUTABLE
  RETURN i.is_archived AND i.status = 'pending' AND i.paid_units = 0;
GRANT EXECUTE ON FUNCTION app.is_given_up(invoice) TO copydesk_app;

CREATE FUNCTION app.end_deduction(deduction uuid, by_id text, by_name text) RETURNS numeric
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  rest numeric;
BEGIN
  -- A run that invoices the trader holds its lock: it either used the deduction before, or finds none.
  PERFORM FROM trader t WHERE t.id = (SELECT d.trader_id FROM invoice_deduction d WHERE d.id = deduction)
    FOR NO KEY UPDATE;
  SELECT app.deduction_left(d) INTO rest FROM invoice_deduction d WHERE d.id = deduction;
  IF rest IS NULL OR rest <= 0 THEN RETURN 0; END IF;
  UPDATE invoice_deduction d SET ended_units = coalesce(d.ended_units, 0) + rest, ended_at = now(), ended_by = by_name,
    ended_by_id = by_id
  WHERE d.id = deduction;
  RETURN rest;
END
$$;
COMMENT ON FUNCTION app.end_deduction(uuid, text, text) IS
  'Ends what no invoice has used of a deduction, and returns it; 0: nothing was left.';
GRANT EXECUTE ON FUNCTION app.end_deduction(uuid, text, text) TO copydesk_app;
