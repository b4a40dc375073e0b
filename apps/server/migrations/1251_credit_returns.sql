-- A trader's credit is sent back to its payout address, by an order of people.

CREATE TABLE credit_return (
  transfer_id uuid PRIMARY KEY REFERENCES transfer ON DELETE RESTRICT,
  payment_id uuid NOT NULL REFERENCES payment ON DELETE RESTRICT,
  order_id uuid NOT NULL UNIQUE REFERENCES money_order ON DELETE RESTRICT,
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  state text NOT NULL DEFAULT 'sending' CHECK (state IN ('sending', 'sent', 'undone')),
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz CHECK ((ended_at IS NULL) = (state = 'sending'))
);
COMMENT ON TABLE credit_return IS 'Credit that is sent back to its trader. It leaves the open part of its payment when it is ordered.';
COMMENT ON COLUMN credit_return.state IS 'undone: it moved nothing, and is credit again.';
CREATE INDEX credit_return_by_payment ON credit_return (payment_id);
CREATE INDEX credit_return_sending ON credit_return (payment_id) WHERE state = 'sending';

ALTER TABLE credit_return ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY credit_return_scope ON credit_return FOR ALL USING ((SELECT app.sees_all()));
-- compatible: the table is new
REVOKE INSERT, UPDATE, DELETE ON credit_return FROM copydesk_app;
GRANT UPDATE (state, ended_at) ON credit_return TO copydesk_worker;

-- Lists of names: old rows have earlier ones, so nothing has to be read.
ALTER TABLE money_order DROP CONSTRAINT money_order_act_check,
  ADD CONSTRAINT money_order_act_check CHECK (act IN ('pool_withdrawals', 'pool_return', 'pool_funding_address',
    'pool_connection', 'invoices_paid_off_platform', 'invoices_archived', 'sale_cancelled', 'sale_discounted',
    'credit_tipped', 'credit_returned')) NOT VALID;
ALTER TABLE transfer DROP CONSTRAINT transfer_kind_check,
  ADD CONSTRAINT transfer_kind_check CHECK (kind IN ('gas_topup', 'consolidate', 'distribute', 'pool_collect',
    'pool_return', 'pool_withdraw', 'pool_fund', 'pool_fee', 'pool_send_back', 'credit_return')) NOT VALID;

-- Wallet, recipient and amount follow from the order and from its trader. It is called when the order is approved, and
-- an order sends once.
CREATE FUNCTION app.order_credit_return(of_chain integer, token text, new_id uuid, ordered uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  credit record;
BEGIN
  SELECT p.id, p.trader_id, l.amount_units AS units, l.to_address AS recipient INTO credit
  FROM money_order o JOIN money_order_line l ON l.order_id = o.id JOIN payment p ON p.id = l.subject_id
  WHERE o.id = ordered AND o.act = 'credit_returned' AND o.state = 'approved'
    AND greatest(o.requested_at, o.decided_at) = now() AND p.open_units = l.amount_units
  FOR NO KEY UPDATE OF p;
  INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
  SELECT new_id, 'credit_return', w.id, t.community_id, t.external_wallet_address, token, credit.units
  FROM trader t JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'deposit' AND w.owner_id = t.id
  WHERE t.id = credit.trader_id AND lower(t.external_wallet_address) = lower(credit.recipient);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'credit is sent back by an order of all of it, to the address of its trader'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  INSERT INTO credit_return (transfer_id, payment_id, order_id, amount_units)
  VALUES (new_id, credit.id, ordered, credit.units);
  UPDATE payment SET open_units = open_units - credit.units WHERE id = credit.id;
END
$$;
COMMENT ON FUNCTION app.order_credit_return(integer, text, uuid, uuid) IS
  'Orders that credit is sent back to the present address of its trader, as an order says that was approved now.';
GRANT EXECUTE ON FUNCTION app.order_credit_return(integer, text, uuid, uuid) TO copydesk_app;
