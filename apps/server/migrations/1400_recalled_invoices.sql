-- An invoice is recalled while nothing was paid for it: it is cancelled, and its positions are due again.

ALTER TABLE invoice ADD COLUMN invoicing_run_id uuid, ADD COLUMN recalled_at timestamptz;
COMMENT ON COLUMN invoice.invoicing_run_id IS
  'The run that made it. NULL: no run, or one of the time before this was noted.';
COMMENT ON COLUMN invoice.recalled_at IS
  'When a person recalled it: it is cancelled, and its positions come with a later invoice.';
ALTER TABLE invoice
  ADD CONSTRAINT invoice_invoicing_run_id_fkey FOREIGN KEY (invoicing_run_id) REFERENCES invoicing_run NOT VALID,
  ADD CONSTRAINT invoice_recalled_is_cancelled
    CHECK (recalled_at IS NULL OR (status = 'cancelled' AND paid_units = 0 AND invoice_type = 'regular')) NOT VALID;
ALTER TABLE invoice VALIDATE CONSTRAINT invoice_invoicing_run_id_fkey;
ALTER TABLE invoice VALIDATE CONSTRAINT invoice_recalled_is_cancelled;

CREATE TABLE recalled_position (
  invoice_id uuid NOT NULL REFERENCES invoice,
  position_id uuid NOT NULL REFERENCES closed_position ON DELETE CASCADE,
  provider_id uuid NOT NULL REFERENCES provider,
  closed_pnl numeric NOT NULL,
  PRIMARY KEY (invoice_id, position_id)
);
COMMENT ON TABLE recalled_position IS 'What an invoice charged before it was recalled.';
COMMENT ON COLUMN recalled_position.closed_pnl IS 'The profit that it charged, USD. The position may be corrected since.';
CREATE INDEX recalled_position_by_position ON recalled_position (position_id);
CREATE INDEX recalled_position_by_provider ON recalled_position (provider_id);
ALTER TABLE recalled_position ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY recalled_position_scope ON recalled_position FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
-- compatible: the table is new
REVOKE INSERT, UPDATE, DELETE ON recalled_position FROM copydesk_app;

-- compatible: the constraint that follows takes every row of this one
ALTER TABLE money_order DROP CONSTRAINT money_order_act_check;
ALTER TABLE money_order ADD CONSTRAINT money_order_act_check CHECK (act IN ('pool_withdrawals', 'pool_return',
  'pool_funding_address', 'pool_connection', 'invoices_paid_off_platform', 'invoices_archived', 'invoices_recalled',
  'sale_cancelled', 'sale_discounted', 'credit_tipped', 'credit_returned')) NOT VALID;
ALTER TABLE money_order VALIDATE CONSTRAINT money_order_act_check;
-- compatible: as above
ALTER TABLE message DROP CONSTRAINT message_kind_check;
ALTER TABLE message ADD CONSTRAINT message_kind_check CHECK (kind IN ('invoice_created', 'invoice_due_soon',
  'invoice_overdue', 'invoice_paid', 'invoice_recalled', 'unpaid_invoices', 'wallet_changed', 'withdrawal_ordered',
  'wallet_confirmed', 'wallet_disowned', 'wallet_no_effect', 'withdrawal_needs_address', 'withdrawal_refused',
  'withdraw_funds', 'withdraw_reminder', 'withdrawal_cancelled', 'trial_ending', 'payment_failed', 'grace_ending',
  'subscription_ended', 'key_failing')) NOT VALID;
ALTER TABLE message VALIDATE CONSTRAINT message_kind_check;

-- What was asked for is not asked for any more until the next run: within the limit of what one person writes off.
CREATE OR REPLACE FUNCTION app.is_write_off(act text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN act IN ('invoices_paid_off_platform', 'invoices_archived', 'invoices_recalled', 'sale_cancelled',
    'sale_discounted');

-- A position is invoiced once: it is free again in the transaction that recalls its invoice, and in no other.
CREATE OR REPLACE FUNCTION app.refuse_other_invoice() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.invoice_id IS NULL AND NEW.closed_pnl IS NOT DISTINCT FROM OLD.closed_pnl
      AND EXISTS (SELECT FROM invoice i WHERE i.id = OLD.invoice_id AND i.recalled_at = now())
      AND EXISTS (SELECT FROM recalled_position r WHERE r.invoice_id = OLD.invoice_id AND r.position_id = OLD.id) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'closed position % was invoiced', OLD.id USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE FUNCTION app.recall_refusal(i invoice) RETURNS text
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT CASE
    WHEN (i).invoice_type <> 'regular' OR (i).harvest_cycle_id IS NOT NULL THEN 'other_kind'
    WHEN (i).status = 'cancelled' THEN 'cancelled'
    WHEN (i).status = 'paid' OR (i).paid_units > 0 OR (i).off_platform_units > 0 THEN 'paid'
    WHEN (i).is_archived THEN 'archived'
    WHEN NOT EXISTS (SELECT FROM closed_position p WHERE p.invoice_id = (i).id) THEN 'imported'
    -- What was corrected is deducted, or decided to be left, by this invoice.
    WHEN EXISTS (SELECT FROM closed_position p WHERE p.invoice_id = (i).id
        AND (p.corrected_pnl IS NOT NULL OR p.double_of IS NOT NULL
          OR EXISTS (SELECT FROM closed_position d WHERE d.double_of = p.id)))
      OR EXISTS (SELECT FROM invoice_deduction d WHERE d.invoice_id = (i).id) THEN 'corrected'
    WHEN EXISTS (SELECT FROM app.on_its_way(ARRAY[(i).trader_id])) THEN 'payment_on_its_way'
  END;
END;
COMMENT ON FUNCTION app.recall_refusal(invoice) IS
  'Why an invoice is not recalled; NULL: it can be. RECALL_REFUSALS in the domain package has the same reasons.';
GRANT EXECUTE ON FUNCTION app.recall_refusal(invoice) TO copydesk_app;

CREATE FUNCTION app.recall_invoices(recalled uuid[]) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  freed integer;
BEGIN
  PERFORM FROM invoice i WHERE i.id = ANY (recalled) ORDER BY i.id FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM invoice i WHERE i.id = ANY (recalled) AND app.recall_refusal(i) IS NULL AND EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = i.id AND l.amount_units >= i.amount_units AND o.act = 'invoices_recalled'
        AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now()))
    <> cardinality(recalled) THEN
    RAISE EXCEPTION 'an unpaid invoice is recalled by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  INSERT INTO recalled_position (invoice_id, position_id, provider_id, closed_pnl)
  SELECT p.invoice_id, p.id, p.provider_id, p.closed_pnl FROM closed_position p WHERE p.invoice_id = ANY (recalled);
  UPDATE invoice i SET status = 'cancelled', recalled_at = now(), updated_at = now() WHERE i.id = ANY (recalled);
  UPDATE closed_position p SET invoice_id = NULL WHERE p.invoice_id = ANY (recalled);
  GET DIAGNOSTICS freed = ROW_COUNT;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN freed;
END
$$;
COMMENT ON FUNCTION app.recall_invoices(uuid[]) IS
  'Recalls invoices in the transaction of the order of a person. Returns how many positions are due again.';
-- compatible: the function is new
REVOKE EXECUTE ON FUNCTION app.recall_invoices(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.recall_invoices(uuid[]) TO copydesk_app;
