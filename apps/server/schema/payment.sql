-- Written by `npm run generate` from a migrated database. Do not edit.

-- Money received for a trader, once for each source.
CREATE TABLE payment (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  trader_id uuid NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  -- The part that no invoice has taken yet.
  open_units numeric(38,0) NOT NULL,
  source_type text NOT NULL,
  source_id text NOT NULL,
  transaction_hash text,
  received_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT payment_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT payment_check CHECK (open_units >= 0::numeric AND open_units <= amount_units),
  CONSTRAINT payment_pkey PRIMARY KEY (id),
  CONSTRAINT payment_source_id_check CHECK (source_id <> ''),
  CONSTRAINT payment_source_type_check CHECK (source_type ~ '^[a-z_]+$'),
  CONSTRAINT payment_source_type_source_id_key UNIQUE (source_type, source_id),
  CONSTRAINT payment_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE RESTRICT,
  CONSTRAINT payment_transaction_hash_check CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$')
);

CREATE INDEX payment_by_trader ON payment (trader_id, received_at);
CREATE INDEX payment_open ON payment (trader_id) WHERE open_units > 0::numeric;

ALTER TABLE payment ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment FORCE ROW LEVEL SECURITY;
CREATE POLICY payment_scope ON payment FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER payments_booked AFTER INSERT ON payment REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.payments_booked();
