-- Written by `npm run generate` from a migrated database. Do not edit.

-- What an order does: a request, a deposit or a pool, where to, and how much.
CREATE TABLE money_order_line (
  order_id uuid NOT NULL,
  place integer NOT NULL,
  subject_id uuid NOT NULL,
  label text NOT NULL,
  to_address text,
  -- NULL: everything that a member has when the pool opens, or no amount.
  amount_units numeric(38,0),
  CONSTRAINT money_order_line_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT money_order_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES money_order(id) ON DELETE CASCADE,
  CONSTRAINT money_order_line_pkey PRIMARY KEY (order_id, place),
  CONSTRAINT money_order_line_subject_id_order_id_key UNIQUE (subject_id, order_id),
  CONSTRAINT money_order_line_to_address_check CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$')
);

ALTER TABLE money_order_line ENABLE ROW LEVEL SECURITY;
ALTER TABLE money_order_line FORCE ROW LEVEL SECURITY;
CREATE POLICY money_order_line_scope ON money_order_line FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER money_order_line_made BEFORE INSERT ON money_order_line FOR EACH ROW WHEN (app.is_application())
  EXECUTE FUNCTION app.refuse_later_line();
CREATE TRIGGER order_waits_announced AFTER INSERT ON money_order_line REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_waiting_order();
