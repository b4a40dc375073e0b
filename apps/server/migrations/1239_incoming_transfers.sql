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
-- compatible: the table is new
REVOKE INSERT, UPDATE, DELETE ON incoming_transfer FROM copydesk_app;
GRANT INSERT, DELETE ON incoming_transfer TO copydesk_worker;
ALTER TABLE incoming_transfer ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY incoming_transfer_scope ON incoming_transfer FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

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
