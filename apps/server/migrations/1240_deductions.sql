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
  commission_rate numeric(5, 4) NOT NULL,
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  split jsonb NOT NULL,
  decided_by text NOT NULL,
  decided_by_id text NOT NULL,
  decided_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (kind, subject_id, seen)
);
COMMENT ON TABLE invoice_deduction IS
  'What is deducted from next invoices, because an exchange corrected what an earlier invoice charged.';
COMMENT ON COLUMN invoice_deduction.invoice_id IS 'The invoice that charged it.';
COMMENT ON COLUMN invoice_deduction.split IS 'Its parts by recipient type, as that invoice was split.';
CREATE INDEX invoice_deduction_by_trader ON invoice_deduction (trader_id, provider_id);
CREATE INDEX invoice_deduction_by_subject ON invoice_deduction (subject_id);
CREATE INDEX invoice_deduction_by_invoice ON invoice_deduction (invoice_id);

CREATE TABLE invoice_deduction_use (
  deduction_id uuid NOT NULL REFERENCES invoice_deduction,
  invoice_id uuid NOT NULL REFERENCES invoice,
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  PRIMARY KEY (deduction_id, invoice_id)
);
COMMENT ON TABLE invoice_deduction_use IS 'The line of a deduction on an invoice: its amount is less by it.';
CREATE INDEX invoice_deduction_use_by_invoice ON invoice_deduction_use (invoice_id);

ALTER TABLE invoice_deduction ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_deduction_scope ON invoice_deduction FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));
ALTER TABLE invoice_deduction_use ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_deduction_use_scope ON invoice_deduction_use FOR ALL
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM invoice_deduction d WHERE d.id = deduction_id));
-- compatible: the tables are new
REVOKE UPDATE, DELETE ON invoice_deduction FROM copydesk_app;
-- compatible: as above
REVOKE INSERT, UPDATE, DELETE ON invoice_deduction_use FROM copydesk_app;
GRANT INSERT ON invoice_deduction_use TO copydesk_worker;

CREATE FUNCTION app.deduction_left(deduction invoice_deduction) RETURNS numeric
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT (deduction).amount_units - coalesce(sum(u.amount_units), 0) FROM invoice_deduction_use u
  JOIN invoice i ON i.id = u.invoice_id
  -- A cancelled invoice gives it back.
  WHERE u.deduction_id = (deduction).id AND i.status <> 'cancelled';
END;
COMMENT ON FUNCTION app.deduction_left(invoice_deduction) IS 'What no invoice has used yet, base units.';
GRANT EXECUTE ON FUNCTION app.deduction_left(invoice_deduction) TO copydesk_app;

-- Whoever has the API cannot deduct more than an exchange corrected, nor for somebody else.
CREATE FUNCTION app.refuse_deduction() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('copydesk.deduction ' || NEW.subject_id, 0));
  IF NOT EXISTS (
    SELECT FROM closed_position p JOIN invoice i ON i.id = p.invoice_id
    WHERE p.id = NEW.subject_id AND i.id = NEW.invoice_id
      AND (NEW.trader_id, NEW.community_id, NEW.provider_id, NEW.commission_rate)
        = (i.trader_id, i.community_id, i.provider_id, i.commission_rate)
      AND NEW.amount_units + coalesce((SELECT sum(d.amount_units) FROM invoice_deduction d
          WHERE d.subject_id = p.id), 0)
        <= CASE NEW.kind WHEN 'corrected_close' THEN greatest(p.closed_pnl - p.corrected_pnl, 0)
            ELSE CASE WHEN p.double_of IS NOT NULL THEN p.closed_pnl END END
          * i.commission_rate * 1000000000000000000)
    OR NEW.amount_units <> (SELECT sum((part ->> 'units')::numeric) FROM jsonb_array_elements(NEW.split) part) THEN
    RAISE EXCEPTION 'a deduction is what an exchange corrected of an invoice' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER deduction_founded BEFORE INSERT ON invoice_deduction FOR EACH ROW
  EXECUTE FUNCTION app.refuse_deduction();
