-- Written by `npm run generate` from a migrated database. Do not edit.

-- What is deducted from next invoices, because an exchange corrected what an earlier invoice charged.
CREATE TABLE invoice_deduction (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  seen text NOT NULL,
  trader_id uuid NOT NULL,
  community_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  -- The invoice that charged it.
  invoice_id uuid NOT NULL,
  commission_rate numeric(5,4) NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  -- Its parts by recipient type, as that invoice was split.
  split jsonb NOT NULL,
  decided_by text NOT NULL,
  decided_by_id text NOT NULL,
  decided_at timestamptz NOT NULL DEFAULT now(),
  -- The unused part that a super admin ended; NULL: none. It may be deducted again where the exchange corrects
  -- again.
  ended_units numeric(38,0),
  ended_at timestamptz,
  ended_by text,
  ended_by_id text,
  -- Whether deduction_left is above 0. Kept by triggers.
  is_open boolean NOT NULL DEFAULT true,
  CONSTRAINT invoice_deduction_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT invoice_deduction_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id),
  CONSTRAINT invoice_deduction_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id),
  CONSTRAINT invoice_deduction_kind_check CHECK (kind = ANY (ARRAY['corrected_close', 'doubled_close'])),
  CONSTRAINT invoice_deduction_kind_subject_id_seen_key UNIQUE (kind, subject_id, seen),
  CONSTRAINT invoice_deduction_pkey PRIMARY KEY (id),
  CONSTRAINT invoice_deduction_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT invoice_deduction_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES closed_position(id),
  CONSTRAINT invoice_deduction_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT
);

CREATE INDEX invoice_deduction_by_invoice ON invoice_deduction (invoice_id);
CREATE INDEX invoice_deduction_by_subject ON invoice_deduction (subject_id);
CREATE INDEX invoice_deduction_by_trader ON invoice_deduction (trader_id, provider_id);
CREATE INDEX invoice_deduction_open ON invoice_deduction (decided_at DESC, id) WHERE is_open;

ALTER TABLE invoice_deduction ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_deduction FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_deduction_scope ON invoice_deduction FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])));

CREATE TRIGGER deduction_ended BEFORE UPDATE OF ended_units ON invoice_deduction FOR EACH ROW
  EXECUTE FUNCTION app.deduction_ended();
CREATE TRIGGER deduction_founded BEFORE INSERT ON invoice_deduction FOR EACH ROW
  EXECUTE FUNCTION app.refuse_deduction();
