-- What arrives on chain: addresses, deposits, payments of invoices, credit, and tokens that are not ours.

CREATE TABLE payment (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  open_units numeric(38,0) NOT NULL,
  source_type text NOT NULL CHECK (source_type ~ '^[a-z_]+$'),
  source_id text NOT NULL CHECK (source_id <> ''),
  transaction_hash text CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  received_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT payment_source_type_source_id_key UNIQUE (source_type, source_id),
  CONSTRAINT payment_check CHECK (open_units >= 0 AND open_units <= amount_units)
);
COMMENT ON TABLE payment IS 'Money received for a trader, once for each source.';
COMMENT ON COLUMN payment.open_units IS 'The part that no invoice has taken yet.';
CREATE INDEX payment_by_trader ON payment (trader_id, received_at);
CREATE INDEX payment_open ON payment (trader_id) WHERE open_units > 0;

ALTER TABLE payment ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment FORCE ROW LEVEL SECURITY;
CREATE POLICY payment_scope ON payment USING ((SELECT app.sees_all()));

-- A payment that an invoice takes is announced with the invoice; one that waits for an invoice would otherwise go
-- unannounced. No provider has a part in it yet, so the event is for super admins.
CREATE FUNCTION app.payments_booked() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
  SELECT 'payment', id, trader_id, '{}'::uuid[] FROM added;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER payments_booked AFTER INSERT ON payment
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payments_booked();

-- Records about money stay: the application may change their state, and nothing else.
-- What a trader paid earlier pays an order or an invoice that a person reopens.
REVOKE INSERT, UPDATE, DELETE ON payment FROM copydesk_app;
GRANT INSERT ON payment TO copydesk_worker;
GRANT UPDATE (open_units) ON payment TO copydesk_worker;

CREATE TABLE invoice_payment (
  payment_id uuid NOT NULL REFERENCES payment ON DELETE RESTRICT,
  invoice_id uuid NOT NULL REFERENCES invoice ON DELETE RESTRICT,
  provider_id uuid REFERENCES provider,
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  tip_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (tip_units BETWEEN 0 AND amount_units),
  transaction_hash text,
  received_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (payment_id, invoice_id)
);
COMMENT ON TABLE invoice_payment IS
  'The part of a payment that went to an invoice, and the tip in it. Visible with the invoice.';
CREATE INDEX invoice_payment_by_invoice ON invoice_payment (invoice_id);
CREATE INDEX invoice_payment_by_provider ON invoice_payment (provider_id);
-- The beginning of a transaction hash is a range of bytes, that of an invoice's id a range of ids.
CREATE INDEX invoice_payment_by_hash ON invoice_payment (transaction_hash COLLATE "C")
  WHERE transaction_hash IS NOT NULL;

ALTER TABLE invoice_payment ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_payment FORCE ROW LEVEL SECURITY;
CREATE POLICY invoice_payment_scope ON invoice_payment
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]));

-- Payments are written once and never changed, so the sums only grow.
CREATE FUNCTION app.payments_received() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  -- In one order, so that two payments of the same days do not wait for each other in a circle.
  INSERT INTO community_day AS d (community_id, provider_id, day, received_units)
  SELECT i.community_id, a.provider_id, app.utc_day(a.received_at), sum(a.amount_units)
  FROM added a JOIN invoice i ON i.id = a.invoice_id GROUP BY 1, 2, 3 ORDER BY 1, 3, 2
  ON CONFLICT (community_id, day, provider_id)
  DO UPDATE SET received_units = d.received_units + excluded.received_units;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER payments_received AFTER INSERT ON invoice_payment
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.payments_received();

-- Records about money stay: the application may change their state, and nothing else.
REVOKE INSERT, UPDATE, DELETE ON invoice_payment FROM copydesk_app;
GRANT INSERT ON invoice_payment TO copydesk_worker;

CREATE TABLE deposit (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  payment_id uuid REFERENCES payment ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT deposit_chain_id_transaction_hash_log_index_key UNIQUE (chain_id, transaction_hash, log_index)
);
COMMENT ON TABLE deposit IS 'A transfer to a deposit address, found in a final block.';
CREATE INDEX deposit_by_trader ON deposit (trader_id, block_number DESC);
-- For the addresses that deposits of the last 30 days went to.
CREATE INDEX deposit_by_time ON deposit (created_at);

ALTER TABLE deposit ENABLE ROW LEVEL SECURITY;
ALTER TABLE deposit FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_scope ON deposit USING ((SELECT app.sees_all()));

-- Records about money stay: the application may change their state, and nothing else.
REVOKE INSERT, UPDATE, DELETE ON deposit FROM copydesk_app;
GRANT INSERT ON deposit TO copydesk_worker;
GRANT UPDATE (payment_id) ON deposit TO copydesk_worker;

CREATE TABLE deposit_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  confirmed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE deposit_key IS
  'The account key whose private half a worker holds. Addresses are derived from this key only: tokens at an '
  'address of another key could not be spent.';

ALTER TABLE deposit_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE deposit_key FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_key_scope ON deposit_key USING ((SELECT app.sees_all()));

-- Records about money stay: the application may change their state, and nothing else.
REVOKE UPDATE, DELETE ON deposit_key FROM copydesk_app;

CREATE TABLE deposit_set_aside (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount_units numeric(78, 0) NOT NULL CHECK (amount_units >= 0),
  trader_id uuid NOT NULL REFERENCES trader ON DELETE RESTRICT,
  reason text NOT NULL CHECK (reason IN ('amount_too_large', 'cannot_be_booked')),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (chain_id, transaction_hash, log_index)
);
COMMENT ON TABLE deposit_set_aside IS
  'A transfer to a deposit address that cannot be booked. It is kept for review, and reading continues.';
COMMENT ON COLUMN deposit_set_aside.amount_units IS 'Any amount that a token contract can report: below 2^256.';
CREATE INDEX deposit_set_aside_newest ON deposit_set_aside (created_at DESC, id);

ALTER TABLE deposit_set_aside ENABLE ROW LEVEL SECURITY;
ALTER TABLE deposit_set_aside FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_set_aside_scope ON deposit_set_aside USING ((SELECT app.sees_all()));

-- Records about money stay: the application may change their state, and nothing else.
REVOKE INSERT, UPDATE, DELETE ON deposit_set_aside FROM copydesk_app;
GRANT INSERT ON deposit_set_aside TO copydesk_worker;

CREATE TABLE deposit_address (
  deposit_index integer PRIMARY KEY,
  address text NOT NULL CONSTRAINT deposit_address_check CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  derived_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE deposit_address IS
  'The deposit address of each trader by its index, as a worker derived it from the seed, and of indexes to come.';

ALTER TABLE deposit_address ENABLE ROW LEVEL SECURITY;
ALTER TABLE deposit_address FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_address_scope ON deposit_address FOR ALL USING ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON deposit_address FROM copydesk_app;
GRANT INSERT ON deposit_address TO copydesk_worker;

-- Money on its way to a trader: nothing is given up while a transfer to its deposit address is not final yet.
CREATE TABLE incoming_transfer (
  chain_id integer NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL,
  trader_id uuid NOT NULL REFERENCES trader ON DELETE CASCADE,
  block_number bigint NOT NULL,
  amount_units numeric(78, 0) NOT NULL CHECK (amount_units > 0),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (chain_id, transaction_hash, log_index)
);
COMMENT ON TABLE incoming_transfer IS
  'Transfers to deposit addresses of traders that owe, in blocks that are not final. Never booked: they only delay what would end an order or invoice.';
COMMENT ON COLUMN incoming_transfer.seen_at IS 'When a worker saw it first.';
CREATE INDEX incoming_transfer_by_trader ON incoming_transfer (trader_id);

ALTER TABLE incoming_transfer ENABLE ROW LEVEL SECURITY;
ALTER TABLE incoming_transfer FORCE ROW LEVEL SECURITY;
CREATE POLICY incoming_transfer_scope ON incoming_transfer FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON incoming_transfer FROM copydesk_app;
GRANT INSERT, DELETE ON incoming_transfer TO copydesk_worker;

-- Other tokens that reach addresses of ours are listed for people. They are never booked.
CREATE TABLE other_token (
  chain_id integer NOT NULL,
  token_address text NOT NULL CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  symbol text CHECK (symbol <> '' AND length(symbol) <= 16),
  decimals integer CHECK (decimals >= 0 AND decimals <= 36),
  ask_at timestamptz DEFAULT now(),
  asks integer NOT NULL DEFAULT 0,
  PRIMARY KEY (chain_id, token_address)
);
COMMENT ON TABLE other_token IS 'Contracts of tokens of which some reached an address of ours. What they say of themselves proves nothing.';
COMMENT ON COLUMN other_token.ask_at IS 'When its contract is asked for its words; NULL: it was, or was asked often enough.';
CREATE INDEX other_token_to_ask ON other_token (chain_id, ask_at) WHERE ask_at IS NOT NULL;

ALTER TABLE other_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE other_token FORCE ROW LEVEL SECURITY;
CREATE POLICY other_token_scope ON other_token FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON other_token FROM copydesk_app;
GRANT INSERT ON other_token TO copydesk_worker;
GRANT UPDATE (symbol, decimals, ask_at, asks) ON other_token TO copydesk_worker;

CREATE TABLE other_token_transfer (
  chain_id integer NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL,
  token_address text NOT NULL,
  block_number bigint NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount_units numeric(78, 0) NOT NULL CHECK (amount_units > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (chain_id, transaction_hash, log_index),
  FOREIGN KEY (chain_id, token_address) REFERENCES other_token
);
COMMENT ON TABLE other_token_transfer IS 'Transfers of other tokens to addresses of ours, in final blocks. Read only: nothing follows from them.';
CREATE INDEX other_token_transfer_newest ON other_token_transfer (created_at DESC, transaction_hash, log_index);

ALTER TABLE other_token_transfer ENABLE ROW LEVEL SECURITY;
ALTER TABLE other_token_transfer FORCE ROW LEVEL SECURITY;
CREATE POLICY other_token_transfer_scope ON other_token_transfer FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

-- Anyone can send any number of tokens to an address, so what was listed for a year is deleted.
REVOKE INSERT, UPDATE, DELETE ON other_token_transfer FROM copydesk_app;
GRANT INSERT, DELETE ON other_token_transfer TO copydesk_worker;

CREATE TABLE other_token_cursor (
  chain_id integer PRIMARY KEY,
  block_number bigint NOT NULL,
  searched_to bigint,
  searching_to bigint,
  after_address text NOT NULL DEFAULT '',
  round_began_at timestamptz,
  leased_until timestamptz
);
COMMENT ON TABLE other_token_cursor IS 'The last block that was searched for other tokens.';
COMMENT ON COLUMN other_token_cursor.block_number IS 'The last block that was searched at addresses that owe or moved lately.';
COMMENT ON COLUMN other_token_cursor.searched_to IS 'The last block that was searched at every address; NULL: no round has begun.';
COMMENT ON COLUMN other_token_cursor.searching_to IS 'The last block of the round in progress; NULL: none is.';
COMMENT ON COLUMN other_token_cursor.after_address IS 'The last address of the round that was searched, in lower case.';
COMMENT ON COLUMN other_token_cursor.round_began_at IS 'When the last round began.';
COMMENT ON COLUMN other_token_cursor.leased_until IS 'A worker searches; another one goes on after this time.';

ALTER TABLE other_token_cursor ENABLE ROW LEVEL SECURITY;
ALTER TABLE other_token_cursor FORCE ROW LEVEL SECURITY;
CREATE POLICY other_token_cursor_scope ON other_token_cursor FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON other_token_cursor FROM copydesk_app;
GRANT INSERT, UPDATE ON other_token_cursor TO copydesk_worker;

CREATE TABLE credit_return (
  transfer_id uuid PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payment ON DELETE RESTRICT,
  order_id uuid NOT NULL UNIQUE,
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  state text NOT NULL DEFAULT 'sending' CHECK (state IN ('sending', 'sent', 'undone')),
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  CONSTRAINT credit_return_check CHECK ((ended_at IS NULL) = (state = 'sending'))
);
COMMENT ON TABLE credit_return IS 'Credit that is sent back to its trader. It leaves the open part of its payment when it is ordered.';
COMMENT ON COLUMN credit_return.state IS 'undone: it moved nothing, and is credit again.';
CREATE INDEX credit_return_by_payment ON credit_return (payment_id);
CREATE INDEX credit_return_sending ON credit_return (payment_id) WHERE state = 'sending';

ALTER TABLE credit_return ENABLE ROW LEVEL SECURITY;
ALTER TABLE credit_return FORCE ROW LEVEL SECURITY;
CREATE POLICY credit_return_scope ON credit_return FOR ALL USING ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON credit_return FROM copydesk_app;
GRANT UPDATE (state, ended_at) ON credit_return TO copydesk_worker;

ALTER TABLE payable ADD CONSTRAINT payable_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id);

CREATE FUNCTION app.take_payments(payments uuid[], invoices uuid[], units numeric[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  taken integer;
  tipped integer;
BEGIN
  IF cardinality(invoices) <> cardinality(payments) OR cardinality(units) <> cardinality(payments)
    OR EXISTS (SELECT FROM unnest(units) AS g (units) WHERE g.units <> trunc(g.units)) THEN
    RAISE EXCEPTION 'each payment is taken for an invoice, in base units' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM FROM invoice i WHERE i.id = ANY (invoices) ORDER BY i.id FOR NO KEY UPDATE;
  -- What is left of a payment that paid this invoice already is a tip on it.
  WITH more AS (
    UPDATE invoice_payment m SET amount_units = m.amount_units + g.units, tip_units = m.tip_units + g.units
    FROM unnest(payments, invoices, units) AS g (payment_id, invoice_id, units), invoice i
    WHERE m.payment_id = g.payment_id AND m.invoice_id = g.invoice_id AND i.id = g.invoice_id AND i.settled_by = 'chain'
    RETURNING i.community_id, m.provider_id, app.utc_day(m.received_at) AS day, g.units),
  added AS (
    UPDATE community_day d SET received_units = d.received_units + s.units
    FROM (SELECT e.community_id, e.provider_id, e.day, sum(e.units) AS units FROM more e GROUP BY 1, 2, 3) s
    WHERE d.community_id = s.community_id AND d.day = s.day AND d.provider_id IS NOT DISTINCT FROM s.provider_id)
  SELECT count(*) INTO tipped FROM more;
  -- A tip is what goes beyond the amount, in the order of the arrays.
  INSERT INTO invoice_payment (payment_id, invoice_id, provider_id, amount_units, tip_units, transaction_hash, received_at)
  SELECT p.id, i.id, i.provider_id, a.units, least(a.units, greatest(i.paid_units + a.units_so_far - i.amount_units, 0)),
    p.transaction_hash, p.received_at
  FROM (SELECT g.payment_id, g.invoice_id, g.units,
          sum(g.units) OVER (PARTITION BY g.invoice_id ORDER BY g.place ROWS UNBOUNDED PRECEDING) AS units_so_far
        FROM unnest(payments, invoices, units) WITH ORDINALITY AS g (payment_id, invoice_id, units, place)) a
  JOIN payment p ON p.id = a.payment_id
  JOIN invoice i ON i.id = a.invoice_id AND i.trader_id = p.trader_id AND i.harvest_cycle_id IS NULL
    AND (i.status = 'pending' OR i.settled_by = 'chain'
      -- An order that ended is revived by a payment of all of it, or not at all.
      OR (i.status = 'cancelled' AND a.units >= i.amount_units
        AND i.id IN (SELECT app.revivable_orders(ARRAY[p.trader_id]))))
  WHERE NOT EXISTS (SELECT FROM invoice_payment m WHERE m.payment_id = p.id AND m.invoice_id = i.id
    AND i.settled_by = 'chain');
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken + tipped <> cardinality(payments) THEN
    RAISE EXCEPTION 'a payment is taken for an open invoice of its trader, or for one that was paid on chain'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  -- Small tips are left over; what is more is the trader's credit, and a tip only where an order says so.
  IF EXISTS (
    SELECT FROM unnest(payments, invoices) AS g (payment_id, invoice_id)
    JOIN invoice_payment m ON m.payment_id = g.payment_id AND m.invoice_id = g.invoice_id
    WHERE m.tip_units > greatest(app.tip_limit(), 1000000000000) AND NOT EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = m.payment_id AND l.amount_units >= m.tip_units AND o.act = 'credit_tipped'
        AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now())) THEN
    RAISE EXCEPTION 'credit becomes a tip by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  -- A constraint keeps it from going below zero, also when two transactions take at once.
  UPDATE payment p SET open_units = p.open_units - a.units
  FROM (SELECT g.payment_id, sum(g.units) AS units
        FROM unnest(payments, units) AS g (payment_id, units) GROUP BY g.payment_id) a
  WHERE p.id = a.payment_id;
  UPDATE invoice i SET paid_units = i.paid_units + a.units, updated_at = now(),
    status = CASE WHEN a.completes THEN 'paid' ELSE i.status END,
    settled_by = CASE WHEN a.completes THEN 'chain' ELSE i.settled_by END,
    paid_at = CASE WHEN a.completes THEN now() ELSE i.paid_at END
  FROM (SELECT v.id, sum(g.units) AS units,
          v.status IN ('pending', 'cancelled') AND v.paid_units + sum(g.units) >= v.amount_units AS completes
        FROM unnest(invoices, units) AS g (invoice_id, units) JOIN invoice v ON v.id = g.invoice_id GROUP BY v.id) a
  WHERE i.id = a.id;
END
$$;
COMMENT ON FUNCTION app.take_payments(uuid[], uuid[], numeric[]) IS
  'Applies parts of payments, in base units, to invoices of their traders, in this order. What goes beyond an amount is a tip.';
GRANT EXECUTE ON FUNCTION app.take_payments(uuid[], uuid[], numeric[]) TO copydesk_app;

CREATE FUNCTION app.on_its_way(traders uuid[]) RETURNS TABLE (trader_id uuid, units numeric, since timestamptz)
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT t.trader_id, sum(t.amount_units), min(t.seen_at) FROM incoming_transfer t
  WHERE t.trader_id = ANY (traders) AND t.amount_units >= 1000000000000000000
    AND t.seen_at > now() - interval '15 minutes'
    -- Whoever sends again and again delays nothing for ever.
    AND (SELECT count(*) FROM payment p
      WHERE p.trader_id = t.trader_id AND p.received_at > now() - interval '1 hour') < 3
  GROUP BY t.trader_id;
END;
COMMENT ON FUNCTION app.on_its_way(uuid[]) IS
  'What is on its way to traders, base units, and since when: transfers of at least 1 USDT that were first seen within 15 minutes, and none of a trader that was paid for three times within an hour.';
GRANT EXECUTE ON FUNCTION app.on_its_way(uuid[]) TO copydesk_app;
