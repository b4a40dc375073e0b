-- Written by `npm run generate` from a migrated database. Do not edit.

-- Credit that is sent back to its trader. It leaves the open part of its payment when it is ordered.
CREATE TABLE credit_return (
  transfer_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  order_id uuid NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  -- undone: it moved nothing, and is credit again.
  state text NOT NULL DEFAULT 'sending',
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  CONSTRAINT credit_return_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT credit_return_check CHECK ((ended_at IS NULL) = (state = 'sending')),
  CONSTRAINT credit_return_order_id_fkey FOREIGN KEY (order_id) REFERENCES money_order(id) ON DELETE RESTRICT,
  CONSTRAINT credit_return_order_id_key UNIQUE (order_id),
  CONSTRAINT credit_return_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON DELETE RESTRICT,
  CONSTRAINT credit_return_pkey PRIMARY KEY (transfer_id),
  CONSTRAINT credit_return_state_check CHECK (state = ANY (ARRAY['sending', 'sent', 'undone'])),
  CONSTRAINT credit_return_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE RESTRICT
);

CREATE INDEX credit_return_by_payment ON credit_return (payment_id);
CREATE INDEX credit_return_sending ON credit_return (payment_id) WHERE state = 'sending';

ALTER TABLE credit_return ENABLE ROW LEVEL SECURITY;
ALTER TABLE credit_return FORCE ROW LEVEL SECURITY;
CREATE POLICY credit_return_scope ON credit_return FOR ALL
  USING ((SELECT app.sees_all()));
