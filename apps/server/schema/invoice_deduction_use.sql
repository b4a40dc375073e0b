-- Written by `npm run generate` from a migrated database. Do not edit.

-- The line of a deduction on an invoice: its amount is less by it.
CREATE TABLE invoice_deduction_use (
  deduction_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  CONSTRAINT invoice_deduction_use_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT invoice_deduction_use_deduction_id_fkey FOREIGN KEY (deduction_id) REFERENCES invoice_deduction(id),
  CONSTRAINT invoice_deduction_use_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id),
  CONSTRAINT invoice_deduction_use_pkey PRIMARY KEY (deduction_id, invoice_id)
);

CREATE INDEX invoice_deduction_use_by_invoice ON invoice_deduction_use (invoice_id);

ALTER TABLE invoice_deduction_use ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_deduction_use FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_deduction_use_scope ON invoice_deduction_use FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM invoice_deduction d
    WHERE d.id = invoice_deduction_use.deduction_id)));

CREATE TRIGGER deduction_used AFTER INSERT ON invoice_deduction_use FOR EACH ROW
  EXECUTE FUNCTION app.deduction_used();
