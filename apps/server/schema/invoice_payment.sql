-- Written by `npm run generate` from a migrated database. Do not edit.

-- The part of a payment that went to an invoice, and the tip in it. Visible with the invoice.
CREATE TABLE invoice_payment (
  payment_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  provider_id uuid,
  amount_units numeric(38,0) NOT NULL,
  tip_units numeric(38,0) NOT NULL DEFAULT 0,
  transaction_hash text,
  received_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invoice_payment_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT invoice_payment_check CHECK (tip_units >= 0::numeric AND tip_units <= amount_units),
  CONSTRAINT invoice_payment_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id) ON DELETE RESTRICT,
  CONSTRAINT invoice_payment_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON DELETE RESTRICT,
  CONSTRAINT invoice_payment_pkey PRIMARY KEY (payment_id, invoice_id),
  CONSTRAINT invoice_payment_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

CREATE INDEX invoice_payment_by_hash ON invoice_payment (transaction_hash COLLATE "C")
  WHERE transaction_hash IS NOT NULL;
CREATE INDEX invoice_payment_by_invoice ON invoice_payment (invoice_id);
CREATE INDEX invoice_payment_by_provider ON invoice_payment (provider_id);

ALTER TABLE invoice_payment ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_payment FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_payment_scope ON invoice_payment FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

CREATE TRIGGER payments_received AFTER INSERT ON invoice_payment REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.payments_received();
