-- Written by `npm run generate` from a migrated database. Do not edit.

-- Invoices. The terms of an invoice are frozen when it is created, except that a coupon may lower an order with a
-- bot before anything was paid: by its buyer, or by an order of a person. Apart from that only its state changes,
-- and it is never deleted.
CREATE TABLE invoice (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  trader_id uuid NOT NULL,
  community_id uuid NOT NULL,
  provider_id uuid,
  invoice_type text NOT NULL DEFAULT 'regular',
  exchange text,
  amount_units numeric(38,0) NOT NULL,
  paid_units numeric(38,0) NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'pending',
  settled_by text,
  is_archived boolean NOT NULL DEFAULT false,
  payment_address text NOT NULL,
  commission_rate numeric(5,4) NOT NULL,
  -- Parts of the amount by recipient type, frozen at creation.
  split jsonb NOT NULL,
  due_at timestamptz NOT NULL,
  paid_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The journal by which a person settled the invoice, while that settlement stands.
  settlement_journal_id uuid,
  -- Part of the imported payments that was not found on chain: none of it becomes payable.
  off_platform_units numeric(38,0) NOT NULL DEFAULT 0,
  off_platform_reason text,
  -- See trader.aum_rank.
  amount_rank double precision NOT NULL GENERATED ALWAYS AS (amount_units::double precision) STORED,
  -- The cycle whose fee it is: the pool pays it out of its member's virtual balance. NULL: the trader pays it.
  harvest_cycle_id uuid,
  -- The run that made it. NULL: no run, or one of the time before this was noted.
  invoicing_run_id uuid,
  -- When a person recalled it: it is cancelled, and its positions come with a later invoice.
  recalled_at timestamptz,
  CONSTRAINT invoice_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT invoice_check CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CONSTRAINT invoice_check1 CHECK ((status = 'paid') = (settled_by IS NOT NULL)),
  CONSTRAINT invoice_check2 CHECK (off_platform_units >= 0::numeric AND off_platform_units <= amount_units),
  CONSTRAINT invoice_commission_rate_check CHECK (commission_rate >= 0::numeric AND commission_rate <= 1::numeric),
  CONSTRAINT invoice_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id),
  CONSTRAINT invoice_exchange_fkey FOREIGN KEY (exchange) REFERENCES exchange(id),
  CONSTRAINT invoice_harvest_cycle_id_fkey FOREIGN KEY (harvest_cycle_id) REFERENCES harvest_cycle(id)
    ON DELETE RESTRICT,
  CONSTRAINT invoice_invoice_type_check CHECK (invoice_type = ANY (ARRAY['regular', 'exchange_bot'])),
  CONSTRAINT invoice_invoicing_run_id_fkey FOREIGN KEY (invoicing_run_id) REFERENCES invoicing_run(id),
  CONSTRAINT invoice_of_pool CHECK (settled_by <> 'pool' OR harvest_cycle_id IS NOT NULL),
  CONSTRAINT invoice_off_platform CHECK ((off_platform_units = 0::numeric) = (off_platform_reason IS NULL)),
  CONSTRAINT invoice_off_platform_reason_check
    CHECK (off_platform_reason = ANY (ARRAY['not_on_chain', 'settled_before_check'])),
  CONSTRAINT invoice_open_is_owed CHECK (status <> 'pending' OR paid_units < amount_units),
  CONSTRAINT invoice_paid_on_chain_in_full CHECK (settled_by <> 'chain' OR paid_units >= amount_units),
  CONSTRAINT invoice_paid_units_check CHECK (paid_units >= 0::numeric),
  CONSTRAINT invoice_payment_address_check CHECK (payment_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT invoice_pkey PRIMARY KEY (id),
  CONSTRAINT invoice_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT invoice_recalled_is_cancelled
    CHECK (recalled_at IS NULL OR status = 'cancelled' AND paid_units = 0::numeric AND invoice_type = 'regular'),
  CONSTRAINT invoice_settled_by_check CHECK (settled_by = ANY (ARRAY['chain', 'manual', 'pool'])),
  CONSTRAINT invoice_settlement_journal_id_fkey FOREIGN KEY (settlement_journal_id) REFERENCES journal(id),
  CONSTRAINT invoice_status_check CHECK (status = ANY (ARRAY['pending', 'paid', 'cancelled'])),
  CONSTRAINT invoice_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
);

CREATE INDEX invoice_by_amount ON invoice (amount_rank, amount_units, id)
  INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, paid_units, due_at,
  created_at, updated_at);
CREATE INDEX invoice_by_community ON invoice (community_id, created_at DESC);
CREATE INDEX invoice_by_created ON invoice (created_at, id)
  INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units,
  paid_units, due_at, updated_at);
CREATE INDEX invoice_by_cycle ON invoice (harvest_cycle_id) WHERE harvest_cycle_id IS NOT NULL;
CREATE INDEX invoice_by_due ON invoice (due_at)
  INCLUDE (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units,
  paid_units, created_at, updated_at) WHERE status = 'pending' AND NOT is_archived;
CREATE INDEX invoice_by_provider ON invoice (provider_id, created_at DESC);
CREATE INDEX invoice_by_run ON invoice (invoicing_run_id) WHERE invoicing_run_id IS NOT NULL;
CREATE INDEX invoice_by_status ON invoice (status, created_at, id) INCLUDE (provider_id, trader_id, is_archived);
CREATE INDEX invoice_by_trader ON invoice (trader_id, created_at)
  INCLUDE (provider_id, community_id, exchange, invoice_type, status, is_archived, amount_units, paid_units, due_at,
  updated_at);
CREATE INDEX invoice_by_updated ON invoice (updated_at, id) INCLUDE (provider_id, trader_id, is_archived);
CREATE INDEX invoice_open ON invoice (trader_id, due_at) WHERE status = 'pending' AND NOT is_archived;
CREATE INDEX invoice_owed ON invoice (due_at) INCLUDE (trader_id, provider_id, amount_units, paid_units)
  WHERE status = 'pending' AND NOT is_archived AND harvest_cycle_id IS NULL AND invoice_type = 'regular';
CREATE INDEX invoice_recalled_of_run ON invoice (invoicing_run_id) INCLUDE (amount_units)
  WHERE recalled_at IS NOT NULL;

ALTER TABLE invoice ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_scope ON invoice FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

CREATE TRIGGER bot_invoice_settled AFTER UPDATE OF status ON invoice FOR EACH ROW
  WHEN (new.invoice_type = 'exchange_bot' AND new.status IS DISTINCT FROM old.status)
  EXECUTE FUNCTION app.bot_invoice_settled();
CREATE TRIGGER deduction_given_back AFTER UPDATE OF status ON invoice FOR EACH ROW
  WHEN ((old.status = 'cancelled') <> (new.status = 'cancelled')) EXECUTE FUNCTION app.deduction_used();
CREATE TRIGGER invoice_address BEFORE INSERT ON invoice FOR EACH ROW WHEN (app.is_api())
  EXECUTE FUNCTION app.refuse_other_payment_address();
CREATE TRIGGER invoice_terms BEFORE UPDATE OF amount_units, split ON invoice FOR EACH ROW
  WHEN (app.is_application() AND (new.amount_units IS DISTINCT FROM old.amount_units
  OR new.split IS DISTINCT FROM old.split)) EXECUTE FUNCTION app.refuse_other_terms();
CREATE TRIGGER invoice_unpaid BEFORE INSERT ON invoice FOR EACH ROW
  WHEN ((new.paid_units <> 0::numeric OR new.off_platform_units <> 0::numeric OR new.status <> 'pending'
  OR new.is_archived OR new.harvest_cycle_id IS NOT NULL) AND app.is_api())
  EXECUTE FUNCTION app.refuse_paid_invoice();
CREATE TRIGGER invoices_added AFTER INSERT ON invoice REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.invoices_written();
CREATE TRIGGER invoices_changed AFTER UPDATE ON invoice REFERENCING OLD TABLE AS taken NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.invoices_written();
CREATE TRIGGER invoices_taken AFTER DELETE ON invoice REFERENCING OLD TABLE AS taken FOR EACH STATEMENT
  EXECUTE FUNCTION app.invoices_written();
CREATE TRIGGER invoices_written_off AFTER UPDATE ON invoice REFERENCING OLD TABLE AS taken NEW TABLE AS added
  FOR EACH STATEMENT WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_write_off();
