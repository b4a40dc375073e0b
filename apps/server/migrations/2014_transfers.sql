-- Transactions that pay, from order to receipt, and what stops them.

CREATE TABLE transfer (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  kind text NOT NULL
    CHECK (kind IN ('gas_topup', 'consolidate', 'distribute', 'pool_collect', 'pool_return', 'pool_withdraw',
    'pool_fund', 'pool_fee', 'pool_send_back', 'credit_return')),
  wallet_id uuid NOT NULL REFERENCES chain_wallet ON DELETE RESTRICT,
  community_id uuid REFERENCES community ON DELETE RESTRICT,
  payout_id uuid REFERENCES payout ON DELETE RESTRICT,
  to_address text NOT NULL CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  token_address text CHECK (token_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38,0) NOT NULL CHECK (amount_units > 0),
  state text NOT NULL DEFAULT 'planned'
    CHECK (state IN ('planned', 'sent', 'final', 'reverted', 'cancelled', 'void')),
  nonce bigint,
  is_cancel_asked boolean NOT NULL DEFAULT false,
  problem text CHECK (problem ~ '^[a-z_]+$'),
  problem_detail text,
  retry_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  ended_at timestamptz,
  limit_claimed_at timestamptz,
  CONSTRAINT transfer_wallet_id_nonce_key UNIQUE (wallet_id, nonce),
  CONSTRAINT transfer_check CHECK ((kind = 'gas_topup') = (token_address IS NULL)),
  CONSTRAINT transfer_check1 CHECK ((kind = 'gas_topup') = (community_id IS NULL)),
  CONSTRAINT transfer_check2 CHECK ((kind = 'distribute') = (payout_id IS NOT NULL)),
  CONSTRAINT transfer_check3 CHECK ((state IN ('planned', 'void')) = (nonce IS NULL)),
  CONSTRAINT transfer_check4 CHECK ((state IN ('planned', 'sent')) = (ended_at IS NULL))
);
COMMENT ON TABLE transfer IS 'One transfer to make. Its terms never change; only its state does.';
COMMENT ON COLUMN transfer.community_id IS 'The community that pays; NULL for top-ups of coin.';
COMMENT ON COLUMN transfer.token_address IS 'NULL for the chain''s own coin.';
COMMENT ON COLUMN transfer.state IS
  'planned: no nonce yet. sent: signed, and sent until it is final. cancelled: its nonce was spent on an empty '
  'transaction.';
COMMENT ON COLUMN transfer.problem IS 'Why it does not proceed: a code; problem_detail has the answer of the chain.';
COMMENT ON COLUMN transfer.limit_claimed_at IS
  'When a worker last counted the transfer toward the limit of a day, before it signs it. Counts while it is planned.';
-- A payout has one transfer at a time, and none after one that paid. An address is topped up once at a time.
CREATE UNIQUE INDEX transfer_pays_once ON transfer (payout_id)
  WHERE state IN ('planned', 'sent', 'final');
CREATE UNIQUE INDEX transfer_one_topup ON transfer (wallet_id, lower(to_address))
  WHERE kind = 'gas_topup' AND state IN ('planned', 'sent');
CREATE INDEX transfer_planned ON transfer (wallet_id, created_at, id) WHERE state = 'planned';
CREATE INDEX transfer_sent ON transfer (wallet_id, nonce) WHERE state = 'sent';
CREATE INDEX transfer_of_payout ON transfer (payout_id, created_at) WHERE payout_id IS NOT NULL;
CREATE INDEX transfer_by_sent ON transfer (sent_at) WHERE kind = 'distribute' AND sent_at IS NOT NULL;
-- The usual time of a step of a payout comes from the latest final transfers of its kind.
CREATE INDEX transfer_by_end ON transfer (kind, ended_at DESC) WHERE state = 'final';
-- The sum of a day reads only claims that are not signed yet; there are seldom more than a few.
CREATE INDEX transfer_by_limit_claim ON transfer (limit_claimed_at)
  WHERE state = 'planned' AND limit_claimed_at IS NOT NULL;
-- Transfers that no fact allowed are counted for an alarm.
CREATE INDEX transfer_set_aside ON transfer (ended_at) WHERE problem = 'not_backed';
-- The coin that was ordered within a day is summed before more is ordered.
CREATE INDEX transfer_topup_by_time ON transfer (created_at) WHERE kind = 'gas_topup';
-- What was ordered lately, for the sums of a day.
CREATE INDEX transfer_paying_by_time ON transfer (created_at)
  WHERE kind = 'distribute' AND state IN ('planned', 'sent', 'final');

ALTER TABLE transfer ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_scope ON transfer USING ((SELECT app.sees_all()));

CREATE TRIGGER intent_keeps_its_nonce BEFORE UPDATE ON transfer
  FOR EACH ROW WHEN ((OLD.nonce IS NOT NULL AND NEW.nonce IS DISTINCT FROM OLD.nonce)
    OR (OLD.ended_at IS NOT NULL AND NEW.state <> OLD.state)) EXECUTE FUNCTION app.refuse_chain_change();
CREATE TRIGGER transfer_planned AFTER INSERT ON transfer
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();

-- A transfer to a recipient pays exactly the payables of its payout, to the address frozen with it. A rule forgotten in
-- code fails here, before anything is signed.
CREATE FUNCTION app.check_payment_intents() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  wrong uuid;
BEGIN
  SELECT i.payout_id INTO wrong
  FROM added i JOIN payout o ON o.id = i.payout_id
  WHERE i.kind = 'distribute' AND (
    lower(i.to_address) <> lower(o.recipient_address) OR i.amount_units <> o.amount_units
    OR i.amount_units <> (SELECT coalesce(sum(y.amount_units), 0) FROM payable y WHERE y.payout_id = o.id))
  LIMIT 1;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'a transfer does not pay the shares of payout %', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER transfer_pays_its_shares AFTER INSERT ON transfer
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.check_payment_intents();

-- Records about money stay: the application may change their state, and nothing else.
-- What follows from the chain: the worker writes it, the API reads it.
-- Locking a row takes a right to update it. The API may ask for a cancellation, and that time says nothing about money.
REVOKE INSERT, UPDATE, DELETE ON transfer FROM copydesk_app;
GRANT UPDATE (is_cancel_asked) ON transfer TO copydesk_app;
GRANT INSERT ON transfer TO copydesk_worker;
GRANT UPDATE (state, nonce, is_cancel_asked, problem, problem_detail, retry_at, sent_at, ended_at, limit_claimed_at)
  ON transfer TO copydesk_worker;

CREATE TABLE transfer_attempt (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  transfer_id uuid NOT NULL REFERENCES transfer ON DELETE RESTRICT,
  wallet_id uuid NOT NULL REFERENCES chain_wallet ON DELETE RESTRICT,
  nonce bigint NOT NULL,
  attempt integer NOT NULL CHECK (attempt > 0),
  is_cancel boolean NOT NULL DEFAULT false,
  hash text NOT NULL UNIQUE CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  raw text NOT NULL CHECK (raw ~ '^0x[0-9a-f]+$'),
  max_fee_wei numeric(38,0) NOT NULL CHECK (max_fee_wei > 0),
  priority_fee_wei numeric(38,0) NOT NULL CHECK (priority_fee_wei >= 0),
  gas_limit bigint NOT NULL CHECK (gas_limit > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  broadcast_at timestamptz,
  block_number bigint,
  block_hash text,
  is_success boolean,
  fee_wei numeric(38,0),
  refusal text,
  refusal_detail text,
  refused_at timestamptz,
  refusals integer NOT NULL DEFAULT 0,
  CONSTRAINT transfer_attempt_wallet_id_nonce_attempt_key UNIQUE (wallet_id, nonce, attempt),
  CONSTRAINT transfer_attempt_wallet_id_nonce_fkey FOREIGN KEY (wallet_id, nonce)
    REFERENCES transfer(wallet_id, nonce),
  CONSTRAINT transfer_attempt_check
    CHECK (num_nonnulls(block_number, block_hash, is_success, fee_wei) = ANY (ARRAY[0, 4])),
  -- What servers of the chain say about transactions that they do not take.
  CONSTRAINT transfer_attempt_refused
    CHECK (refusals >= 0 AND (refusal IS NULL OR refusal ~ '^[a-z_]+$') AND (refusal IS NULL) = (refused_at IS NULL)
    AND (refusal IS NULL) = (refusal_detail IS NULL))
);
COMMENT ON TABLE transfer_attempt IS
  'A signed transaction of a transfer. Only these bytes are sent, repeatedly if necessary.';
COMMENT ON COLUMN transfer_attempt.is_cancel IS 'Spends the nonce on an empty transaction instead of the transfer.';
COMMENT ON COLUMN transfer_attempt.broadcast_at IS 'When a server last accepted it.';
COMMENT ON COLUMN transfer_attempt.block_number IS
  'The receipt, once final: block_number, block_hash, is_success and fee_wei.';
COMMENT ON COLUMN transfer_attempt.refusal IS
  'Why no server takes it: a code. NULL: a server took it last, or it was not sent yet.';
COMMENT ON COLUMN transfer_attempt.refusal_detail IS 'The words of the server.';
COMMENT ON COLUMN transfer_attempt.refusals IS 'How often in a row every server refused it.';
CREATE INDEX transfer_attempt_of_intent ON transfer_attempt (transfer_id, attempt);
-- Recent transaction fees.
CREATE INDEX transfer_attempt_by_receipt ON transfer_attempt (block_number DESC)
  INCLUDE (fee_wei) WHERE block_number IS NOT NULL;

ALTER TABLE transfer_attempt ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_attempt FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_attempt_scope ON transfer_attempt USING ((SELECT app.sees_all()));

-- Whatever a worker believes, also one of an earlier version: its signed bytes are not stored, and only stored ones are sent.
CREATE FUNCTION app.refuse_attempts_while_stopped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added a JOIN transfer t ON t.id = a.transfer_id WHERE NOT (a.is_cancel AND t.is_cancel_asked))
    AND NOT app.hold_transfer_gate() THEN
    RAISE EXCEPTION 'payments are stopped: nothing but cancellations is signed' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER transfer_attempts_gated AFTER INSERT ON transfer_attempt
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_attempts_while_stopped();

-- Records about money stay: the application may change their state, and nothing else.
REVOKE INSERT, UPDATE, DELETE ON transfer_attempt FROM copydesk_app;
GRANT INSERT ON transfer_attempt TO copydesk_worker;
GRANT UPDATE (broadcast_at, block_number, block_hash, is_success, fee_wei, refusal, refusal_detail, refused_at,
  refusals) ON transfer_attempt TO copydesk_worker;

CREATE TABLE transfer_heartbeat (
  chain_id integer PRIMARY KEY,
  looked_at timestamptz NOT NULL DEFAULT now(),
  halted_because text
    CHECK (halted_because IN ('chain_silent', 'fees_too_high', 'turn_failed', 'sends_refused', 'no_standby')),
  halted_at timestamptz,
  gas_wei numeric(78,0) CHECK (gas_wei >= 0),
  gas_read_at timestamptz,
  halted_detail text,
  tip_floor_wei numeric(38,0),
  tip_floor_at timestamptz,
  CONSTRAINT transfer_heartbeat_check CHECK ((halted_because IS NULL) = (halted_at IS NULL)),
  CONSTRAINT transfer_heartbeat_gas CHECK ((gas_wei IS NULL) = (gas_read_at IS NULL)),
  CONSTRAINT transfer_heartbeat_tip_floor_check
    CHECK ((tip_floor_wei IS NULL) = (tip_floor_at IS NULL) AND tip_floor_wei > 0)
);
COMMENT ON TABLE transfer_heartbeat IS
  'When a worker last processed the payouts of a chain, and what halts all of them. A waiting payout without a '
  'reason of its own shows this one. Times come from the clock of the database: clocks of workers may differ.';
COMMENT ON COLUMN transfer_heartbeat.gas_wei IS 'Coin of the gas wallet, wei. NULL: not read yet.';
COMMENT ON COLUMN transfer_heartbeat.halted_detail IS 'The words of the error or of the server; NULL without any.';
COMMENT ON COLUMN transfer_heartbeat.tip_floor_wei IS
  'The lowest tip that servers take, learned from a refusal, wei per unit of gas. Forgotten a day after.';

ALTER TABLE transfer_heartbeat ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_heartbeat FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_heartbeat_scope ON transfer_heartbeat USING ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON transfer_heartbeat FROM copydesk_app;
GRANT INSERT, UPDATE ON transfer_heartbeat TO copydesk_worker;

-- The timeline of sagas: one row for every accepted event. Rows are never changed.
CREATE TABLE saga_event (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  saga text NOT NULL CHECK (saga ~ '^[a-z_]+$'),
  saga_id uuid NOT NULL,
  version integer NOT NULL,
  at timestamptz NOT NULL,
  event text NOT NULL CHECK (event ~ '^[a-z_]+$'),
  role text NOT NULL CHECK (role ~ '^[a-z_]+$'),
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  from_state text NOT NULL,
  to_state text NOT NULL,
  evidence jsonb NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE saga_event IS 'Every event that changed or confirmed the state of a long process, with its evidence.';
COMMENT ON COLUMN saga_event.version IS 'Of the process after the event.';
-- By id, which follows the time of the database: the clocks of our processes may differ.
CREATE INDEX saga_event_by_saga ON saga_event (saga, saga_id, id);

ALTER TABLE saga_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE saga_event FORCE ROW LEVEL SECURITY;
CREATE POLICY saga_event_scope ON saga_event USING ((SELECT app.sees_all()));

REVOKE UPDATE, DELETE ON saga_event FROM copydesk_app;

CREATE TABLE transfer_stop (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  reason text NOT NULL CHECK (btrim(reason) <> '' AND length(reason) <= 500),
  origin text NOT NULL CHECK (origin IN ('console', 'command', 'alert')),
  stopped_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  stopped_by_id text NOT NULL,
  stopped_by text NOT NULL,
  lifted_at timestamptz CHECK (lifted_at >= stopped_at),
  lifted_by_id text,
  lifted_by text,
  lift_reason text,
  lift_origin text CHECK (lift_origin IN ('console', 'command')),
  CHECK (num_nulls(lifted_at, lifted_by_id, lifted_by, lift_reason, lift_origin) IN (0, 5))
);
COMMENT ON TABLE transfer_stop IS
  'The stops of all payments. Written by functions of the owner only: the API can set a stop, and never lift or change one.';
COMMENT ON COLUMN transfer_stop.origin IS
  'console: a super admin; command: on the machine of a worker; alert: a worker that set too many transfers aside, or that found more transactions of a wallet on the chain than in this database.';
-- One holds at a time.
CREATE UNIQUE INDEX transfer_stop_open ON transfer_stop ((lifted_at IS NULL)) WHERE lifted_at IS NULL;
CREATE INDEX transfer_stop_lifted ON transfer_stop (lifted_at) WHERE lifted_at IS NOT NULL;

ALTER TABLE transfer_stop ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_stop FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_stop_scope ON transfer_stop FOR ALL USING ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON transfer_stop FROM copydesk_app;

CREATE TABLE transfer_gate (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  stopped_since timestamptz,
  standby_forgotten_until timestamptz
);
COMMENT ON TABLE transfer_gate IS
  'Whether payments are stopped: one row, which everyone may read. Who signs holds a lock on it that a stop waits for.';
COMMENT ON COLUMN transfer_gate.standby_forgotten_until IS
  'An operator said that there is no standby: until then, transfers are sent that no standby has stored.';
INSERT INTO transfer_gate DEFAULT VALUES;

CREATE FUNCTION app.announce_stop() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO change_event (topic, provider_ids) SELECT 'stop', coalesce(array_agg(p.id), '{}') FROM provider p;
  RETURN NULL;
END
$$;

CREATE TRIGGER transfer_gate_moved AFTER UPDATE ON transfer_gate
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_stop();

REVOKE INSERT, UPDATE, DELETE ON transfer_gate FROM copydesk_app;

CREATE TABLE transfer_stop_lift (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  stop_id uuid NOT NULL REFERENCES transfer_stop ON DELETE RESTRICT,
  reason text NOT NULL CHECK (btrim(reason) <> '' AND length(reason) <= 500),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'confirmed', 'lifted', 'withdrawn', 'refused')),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  decided_by_id text,
  decided_by text,
  decided_at timestamptz,
  CHECK (num_nulls(decided_by_id, decided_by, decided_at) IN (0, 3)),
  CHECK ((state = 'waiting') = (decided_at IS NULL)),
  CHECK (decided_by_id <> requested_by_id OR state IN ('withdrawn', 'refused'))
);
COMMENT ON TABLE transfer_stop_lift IS
  'Lifting a stop: one super admin asks, another one confirms, and a worker lifts it after its own check.';
COMMENT ON COLUMN transfer_stop_lift.state IS
  'confirmed: a worker lifts the stop next. refused: by the worker, because one of the two may no longer decide.';
CREATE UNIQUE INDEX transfer_stop_lift_open ON transfer_stop_lift (stop_id) WHERE state IN ('waiting', 'confirmed');

ALTER TABLE transfer_stop_lift ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_stop_lift FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_stop_lift_scope ON transfer_stop_lift FOR ALL USING ((SELECT app.sees_all()));

-- A setting says how long a user must have been a super admin first; the application enforces it.
CREATE FUNCTION app.refuse_dependent_approval() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'a % is approved by an independent, confirmed super admin', replace(TG_TABLE_NAME, '_', ' ')
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER transfer_stop_lift_confirmed BEFORE UPDATE ON transfer_stop_lift
  FOR EACH ROW WHEN (NEW.state = 'confirmed') EXECUTE FUNCTION app.refuse_dependent_approval();

CREATE FUNCTION app.check_lift_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (('waiting', 'confirmed'), ('waiting', 'withdrawn'), ('confirmed', 'lifted'),
      ('confirmed', 'withdrawn'), ('confirmed', 'refused'))
    -- What a person has confirmed is carried out as confirmed.
    OR (OLD.state = 'confirmed' AND NEW.state = 'lifted'
      AND (NEW.decided_by_id, NEW.decided_at) IS DISTINCT FROM (OLD.decided_by_id, OLD.decided_at))
  THEN
    RAISE EXCEPTION 'a lift cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER transfer_stop_lift_moves BEFORE UPDATE ON transfer_stop_lift
  FOR EACH ROW EXECUTE FUNCTION app.check_lift_move();
CREATE TRIGGER transfer_stop_lift_queued AFTER INSERT OR UPDATE ON transfer_stop_lift
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER transfer_stop_lift_moved AFTER INSERT OR UPDATE ON transfer_stop_lift
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_stop();
CREATE TRIGGER no_worker_confirms BEFORE INSERT OR UPDATE OF state, decided_by_id ON transfer_stop_lift
  FOR EACH ROW WHEN (NEW.state = 'confirmed' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();

-- The author, the stop and the reason of a request never change, and it begins undecided.
REVOKE INSERT, UPDATE, DELETE ON transfer_stop_lift FROM copydesk_app;
GRANT INSERT (id, stop_id, reason, requested_by_id, requested_by) ON transfer_stop_lift TO copydesk_app;
GRANT UPDATE (state, decided_by_id, decided_by, decided_at) ON transfer_stop_lift TO copydesk_app;

ALTER TABLE payable ADD CONSTRAINT payable_consolidation_id_fkey FOREIGN KEY (consolidation_id)
  REFERENCES transfer(id) ON DELETE RESTRICT;

ALTER TABLE credit_return ADD CONSTRAINT credit_return_transfer_id_fkey FOREIGN KEY (transfer_id)
  REFERENCES transfer(id) ON DELETE RESTRICT;

ALTER TABLE payout_returned_share ADD CONSTRAINT payout_returned_share_consolidation_id_fkey FOREIGN KEY (consolidation_id) REFERENCES transfer(id) ON DELETE RESTRICT;

CREATE FUNCTION app.order_payouts(of_chain integer, token text, ids uuid[], payouts uuid[]) RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  INSERT INTO transfer (id, kind, wallet_id, community_id, payout_id, to_address, token_address, amount_units)
  SELECT n.id, 'distribute', w.id, o.community_id, o.id, o.recipient_address, token, o.amount_units
  FROM unnest(ids, payouts) AS n (id, payout_id)
  JOIN payout o ON o.id = n.payout_id
  JOIN distribution d ON d.id = o.distribution_id AND d.state = 'approved'
  JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'community' AND w.owner_id = o.community_id;
END;
COMMENT ON FUNCTION app.order_payouts(integer, text, uuid[], uuid[]) IS
  'Orders the transfers of payouts of approved distributions, from the wallet of their community.';
GRANT EXECUTE ON FUNCTION app.order_payouts(integer, text, uuid[], uuid[]) TO copydesk_app;

CREATE FUNCTION app.order_consolidations(of_chain integer, token text, ids uuid[], payables uuid[]) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  backed integer;
BEGIN
  INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
  SELECT n.id, 'consolidate', d.id, y.community_id, w.address, token, sum(y.amount_units)
  FROM unnest(ids, payables) AS n (id, payable_id)
  JOIN payable y ON y.id = n.payable_id AND y.paid_at IS NULL AND y.settled_at IS NULL
  JOIN invoice v ON v.id = y.invoice_id
  JOIN chain_wallet d ON d.chain_id = of_chain AND d.role = 'deposit' AND d.owner_id = v.trader_id
  JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'community' AND w.owner_id = y.community_id
  GROUP BY n.id, d.id, y.community_id, w.address;
  UPDATE payable y SET consolidation_id = n.id
  FROM unnest(ids, payables) AS n (id, payable_id)
  WHERE y.id = n.payable_id AND y.paid_at IS NULL AND y.settled_at IS NULL AND (y.consolidation_id IS NULL
    OR EXISTS (SELECT FROM transfer f WHERE f.id = y.consolidation_id AND f.state IN ('reverted', 'cancelled', 'void')));
  GET DIAGNOSTICS backed = ROW_COUNT;
  RETURN backed;
END
$$;
COMMENT ON FUNCTION app.order_consolidations(integer, text, uuid[], uuid[]) IS
  'Orders transfers that empty deposit addresses of the shares that are to name them. Returns how many shares do.';
GRANT EXECUTE ON FUNCTION app.order_consolidations(integer, text, uuid[], uuid[]) TO copydesk_app;

CREATE FUNCTION app.void_planned(payouts uuid[]) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  voided integer;
BEGIN
  UPDATE transfer SET state = 'void', ended_at = now(), problem = NULL, problem_detail = NULL, retry_at = NULL
  WHERE payout_id = ANY (payouts) AND state = 'planned';
  GET DIAGNOSTICS voided = ROW_COUNT;
  RETURN voided;
END
$$;
GRANT EXECUTE ON FUNCTION app.void_planned(uuid[]) TO copydesk_app;

CREATE FUNCTION app.void_unsignable(ids uuid[]) RETURNS SETOF uuid
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  UPDATE transfer t SET state = 'void', ended_at = now(), problem = NULL, problem_detail = NULL, retry_at = NULL
  FROM chain_wallet w WHERE w.id = t.wallet_id AND t.id = ANY (ids) AND t.state = 'planned'
    AND (w.frozen_because IS NOT NULL OR t.problem <> 'waits_for_gas') RETURNING t.id;
END;
GRANT EXECUTE ON FUNCTION app.void_unsignable(uuid[]) TO copydesk_app;

CREATE FUNCTION app.ask_cancel(payout uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  UPDATE transfer SET is_cancel_asked = true WHERE payout_id = payout AND state = 'sent';
END;
GRANT EXECUTE ON FUNCTION app.ask_cancel(uuid) TO copydesk_app;

CREATE FUNCTION app.end_suspected(ids uuid[], ended_as text) RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  -- Of a frozen wallet, and only what a worker suspects: nothing else can be declared as having paid no one.
  UPDATE transfer t SET state = ended_as, ended_at = now()
  FROM chain_wallet w
  WHERE w.id = t.wallet_id AND w.frozen_because IS NOT NULL AND t.id = ANY (ids) AND t.state = 'sent'
    AND (t.problem, ended_as) IN (('foreign_transaction', 'cancelled'), ('nothing_moved', 'reverted'));
END;
GRANT EXECUTE ON FUNCTION app.end_suspected(uuid[], text) TO copydesk_app;

CREATE FUNCTION app.unfreeze_wallet(wallet uuid) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  UPDATE chain_wallet w SET frozen_because = NULL, frozen_at = NULL, next_nonce = n.nonce, first_nonce = n.nonce
  FROM (
    SELECT CASE f.frozen_because WHEN 'nonce_gap' THEN
        greatest(f.chain_nonce, (SELECT max(i.nonce) + 1 FROM transfer i WHERE i.wallet_id = f.id))
      ELSE greatest(f.next_nonce, f.chain_nonce) END AS nonce
    FROM chain_wallet f WHERE f.id = wallet) n
  WHERE w.id = wallet AND w.frozen_because IS NOT NULL RETURNING w.next_nonce;
END;
GRANT EXECUTE ON FUNCTION app.unfreeze_wallet(uuid) TO copydesk_app;

CREATE FUNCTION app.hold_transfer_gate() RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  LOCK TABLE transfer_gate IN ROW SHARE MODE;
  -- A statement of its own, which sees what committed while the lock was awaited.
  RETURN coalesce((SELECT g.stopped_since IS NULL FROM transfer_gate g), false);
END
$$;
COMMENT ON FUNCTION app.hold_transfer_gate() IS
  'Whether transfers may be signed. A stop waits until this transaction ends, so the answer holds until then.';
GRANT EXECUTE ON FUNCTION app.hold_transfer_gate() TO copydesk_worker;

CREATE FUNCTION app.stop_payments(from_where text, why text, by_id text, by_name text) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp
  SET lock_timeout = '2s' AS $$
DECLARE
  added uuid;
BEGIN
  IF current_setting('role') = 'copydesk_app' AND (from_where <> 'console' OR NOT EXISTS (
      SELECT FROM identity.user_access a WHERE a.user_id::text = by_id AND a.super AND a.disabled_at IS NULL)) THEN
    RAISE EXCEPTION 'the API stops payments for a super admin only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  BEGIN
    LOCK TABLE transfer_gate IN EXCLUSIVE MODE;
  EXCEPTION WHEN lock_not_available THEN
    -- A worker hangs while it signs. The stop holds for everyone else, and what that worker stores later is not sent.
    NULL;
  END;
  INSERT INTO transfer_stop (reason, origin, stopped_by_id, stopped_by) VALUES (why, from_where, by_id, by_name)
  ON CONFLICT DO NOTHING RETURNING id INTO added;
  UPDATE transfer_gate g SET stopped_since = s.stopped_at FROM transfer_stop s
  WHERE s.lifted_at IS NULL AND g.stopped_since IS DISTINCT FROM s.stopped_at;
  RETURN added;
END
$$;
COMMENT ON FUNCTION app.stop_payments(text, text, text, text) IS
  'Stops all payments. NULL: they were stopped already, and the earlier stop goes on.';
GRANT EXECUTE ON FUNCTION app.stop_payments(text, text, text, text) TO copydesk_app;

-- Ends the stop that holds. The time that a cycle stood still does not count toward its deadline.
CREATE FUNCTION app.end_stop(from_where text, why text, by_id text, by_name text) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  ended transfer_stop;
BEGIN
  UPDATE transfer_stop SET lifted_at = clock_timestamp(), lifted_by_id = by_id, lifted_by = by_name, lift_reason = why,
    lift_origin = from_where
  WHERE lifted_at IS NULL RETURNING * INTO ended;
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE transfer_gate SET stopped_since = NULL;
  UPDATE harvest_cycle h SET deadline_at = h.deadline_at + (ended.lifted_at - greatest(ended.stopped_at, c.since))
  FROM (SELECT id, CASE WHEN status = 'processing_invoices' THEN step_since ELSE since END AS since FROM harvest_cycle) c
  WHERE c.id = h.id AND h.ended_at IS NULL AND h.deadline_at IS NOT NULL AND c.since < ended.lifted_at;
  RETURN ended.id;
END
$$;

CREATE FUNCTION app.lift_stop(lift uuid) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  asked transfer_stop_lift;
BEGIN
  SELECT l.* INTO asked FROM transfer_stop_lift l JOIN transfer_stop s ON s.id = l.stop_id
  WHERE l.id = lift AND l.state = 'confirmed' AND s.lifted_at IS NULL FOR UPDATE OF l;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF asked.decided_by_id = asked.requested_by_id OR (
      SELECT count(*) FROM identity.user_access a
      WHERE a.user_id::text IN (asked.requested_by_id, asked.decided_by_id) AND a.super AND a.disabled_at IS NULL) <> 2
  THEN
    RAISE EXCEPTION 'a stop is lifted by two super admins' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE transfer_stop_lift SET state = 'lifted' WHERE id = lift;
  RETURN app.end_stop('console', asked.reason, asked.decided_by_id, asked.decided_by);
END
$$;
COMMENT ON FUNCTION app.lift_stop(uuid) IS
  'Lifts a stop that one super admin asked to lift and another one confirmed. For workers: the API cannot call it.';
GRANT EXECUTE ON FUNCTION app.lift_stop(uuid) TO copydesk_worker;

CREATE FUNCTION app.resume_payments(why text, by_id text, by_name text) RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE transfer_stop_lift l SET state = 'withdrawn', decided_by_id = by_id, decided_by = by_name,
    decided_at = clock_timestamp()
  FROM transfer_stop s WHERE s.id = l.stop_id AND s.lifted_at IS NULL AND l.state IN ('waiting', 'confirmed');
  RETURN app.end_stop('command', why, by_id, by_name);
END
$$;
COMMENT ON FUNCTION app.resume_payments(text, text, text) IS
  'Lifts the stop for the command on the machine of a worker. NULL: there was none.';
GRANT EXECUTE ON FUNCTION app.resume_payments(text, text, text) TO copydesk_operator;

-- For an operator on the machine of a worker, where the standby is gone and payouts cannot wait for another.
CREATE FUNCTION app.forget_standby() RETURNS timestamptz
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
  UPDATE transfer_gate SET standby_forgotten_until = clock_timestamp() + interval '1 hour'
  RETURNING standby_forgotten_until;
END;
GRANT EXECUTE ON FUNCTION app.forget_standby() TO copydesk_operator;
