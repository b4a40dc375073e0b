-- What harvest cycles need besides their status: the timeline of their events, the reads of the exchange that decide them,
-- funding transfers, and global runs. All of it is for super admins.

ALTER TABLE transfer
  DROP CONSTRAINT transfer_kind_check,
  ADD CONSTRAINT transfer_kind_check CHECK (kind IN ('gas_topup', 'consolidate', 'distribute',
    'pool_collect', 'pool_return', 'pool_withdraw', 'pool_fund', 'pool_fee'));

ALTER TABLE harvest_cycle
  ADD COLUMN step_since timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN look_at timestamptz,
  ADD COLUMN reason_detail text,
  ADD COLUMN started_by text,
  ADD COLUMN start_balance_units numeric(38, 0) CHECK (start_balance_units >= 0),
  ADD COLUMN approval_awaited_since timestamptz,
  ADD COLUMN waited_ms bigint NOT NULL DEFAULT 0 CHECK (waited_ms >= 0),
  ADD COLUMN approved_evidence_id uuid,
  ADD COLUMN approved_result_units numeric(38, 0),
  ADD COLUMN result_units numeric(38, 0),
  ADD COLUMN frozen_capital_units numeric(38, 0),
  ADD COLUMN is_closing_asked boolean NOT NULL DEFAULT false,
  ADD COLUMN trading_request_id uuid,
  ADD COLUMN trading_command text CHECK (trading_command IN ('pause', 'resume')),
  ADD COLUMN trading_requested_at timestamptz,
  ADD COLUMN trading_acknowledged_at timestamptz,
  ADD CONSTRAINT harvest_cycle_trading CHECK ((trading_request_id IS NULL) = (trading_command IS NULL)
    AND (trading_request_id IS NULL) = (trading_requested_at IS NULL));
COMMENT ON COLUMN harvest_cycle.step_since IS 'When the step changed last.';
COMMENT ON COLUMN harvest_cycle.look_at IS 'When the worker looks at the cycle next; NULL: an event has to come first.';
COMMENT ON COLUMN harvest_cycle.reason_detail IS 'The figures behind the reason.';
COMMENT ON COLUMN harvest_cycle.started_by IS 'The super admin who started it. Approvals are given by another one.';
COMMENT ON COLUMN harvest_cycle.start_balance_units IS 'At the exchange, as read when trading had paused.';
COMMENT ON COLUMN harvest_cycle.waited_ms IS
  'How long a valuation waited for approval. It does not count toward the deadline.';
COMMENT ON COLUMN harvest_cycle.approved_evidence_id IS 'The read whose valuation another super admin approved.';
COMMENT ON COLUMN harvest_cycle.approved_result_units IS
  'The result that was approved: money that arrives afterwards makes another one, which has to be approved again.';
COMMENT ON COLUMN harvest_cycle.frozen_capital_units IS
  'Virtual balances when the pool stopped. The next valuation refuses another sum.';
COMMENT ON COLUMN harvest_cycle.trading_request_id IS
  'The command to the trading bot, stored before it is sent. The bot obeys each id once.';
-- The worker's next look is no news for a screen.
DROP TRIGGER harvest_cycle_written ON harvest_cycle;
CREATE TRIGGER harvest_cycle_added AFTER INSERT ON harvest_cycle
  FOR EACH ROW EXECUTE FUNCTION app.pool_written();
CREATE TRIGGER harvest_cycle_written AFTER UPDATE ON harvest_cycle
  FOR EACH ROW WHEN ((NEW.version, NEW.reason, NEW.reason_detail, NEW.approval_awaited_since, NEW.trading_acknowledged_at)
    IS DISTINCT FROM (OLD.version, OLD.reason, OLD.reason_detail, OLD.approval_awaited_since, OLD.trading_acknowledged_at))
  EXECUTE FUNCTION app.pool_written();
CREATE TRIGGER harvest_due AFTER UPDATE OF look_at ON harvest_cycle
  FOR EACH ROW WHEN (NEW.look_at <= now()) EXECUTE FUNCTION app.announce_work();
CREATE INDEX harvest_cycle_due ON harvest_cycle (look_at) WHERE ended_at IS NULL AND look_at IS NOT NULL;

ALTER TABLE pooled_account
  ADD COLUMN bybit_deposit_address text CHECK (bybit_deposit_address ~ '^0x[0-9a-fA-F]{40}$'),
  ADD COLUMN bybit_deposit_address_from timestamptz,
  ADD COLUMN bybit_deposit_address_by text,
  ADD COLUMN bybit_address_read text CHECK (bybit_address_read ~ '^0x[0-9a-fA-F]{40}$'),
  ADD COLUMN bybit_address_read_at timestamptz,
  ADD COLUMN has_bot boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT pooled_account_address_from
    CHECK ((bybit_deposit_address IS NULL) = (bybit_deposit_address_from IS NULL)),
  ADD CONSTRAINT pooled_account_address_read
    CHECK ((bybit_address_read IS NULL) = (bybit_address_read_at IS NULL));
COMMENT ON COLUMN pooled_account.bybit_deposit_address IS
  'Where the pool''s money is sent at the stop of a harvest: the approved address, usable from bybit_deposit_address_from.';
COMMENT ON COLUMN pooled_account.bybit_address_read IS
  'The deposit address as the exchange last gave it; NULL: its key may not read it.';
COMMENT ON COLUMN pooled_account.has_bot IS 'Whether the trading bot pauses and resumes it; otherwise an operator confirms.';

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

CREATE TABLE pool_evidence (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  read_at timestamptz NOT NULL,
  open_positions integer NOT NULL,
  open_orders integer NOT NULL,
  unstored_positions integer NOT NULL,
  balance_units numeric(38, 0) NOT NULL,
  other_coins_units numeric(38, 0) NOT NULL,
  open_withdrawals integer,
  withdrawal_fee_units numeric(38, 0) NOT NULL,
  dust_units numeric(38, 0) NOT NULL,
  logged_result_units numeric(38, 0),
  detail jsonb NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE pool_evidence IS 'Reads of a pool''s exchange account that decided something. Rows are never changed.';
COMMENT ON COLUMN pool_evidence.open_withdrawals IS 'NULL: the key may not read withdrawals.';
COMMENT ON COLUMN pool_evidence.withdrawal_fee_units IS 'Fees of this cycle''s withdrawals, as far as they can be read.';
COMMENT ON COLUMN pool_evidence.logged_result_units IS 'The result by the exchange''s own log; NULL: not read.';
CREATE INDEX pool_evidence_by_cycle ON pool_evidence (cycle_id, read_at DESC, id DESC);

ALTER TABLE pool_evidence ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_evidence FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_evidence_scope ON pool_evidence USING ((SELECT app.sees_all()));
REVOKE UPDATE, DELETE ON pool_evidence FROM copydesk_app;

CREATE TABLE pool_movement (
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('deposit', 'withdrawal')),
  record_id text NOT NULL,
  transaction_hash text CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units >= 0),
  fee_units numeric(38, 0),
  to_address text NOT NULL,
  state text NOT NULL CHECK (state IN ('under_way', 'done', 'ended', 'problem', 'unknown')),
  venue_status text NOT NULL,
  problem text,
  happened_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (pooled_account_id, kind, record_id)
);
COMMENT ON TABLE pool_movement IS
  'Deposits and withdrawals of a pool''s exchange account, as the exchange lists them. The last reading of each stays.';
COMMENT ON COLUMN pool_movement.state IS
  'done: a deposit is credited, a withdrawal has left. ended: it came to nothing. problem: the owner has to act.';
CREATE INDEX pool_movement_by_transaction ON pool_movement (transaction_hash) WHERE transaction_hash IS NOT NULL;
CREATE INDEX pool_movement_by_time ON pool_movement (pooled_account_id, happened_at DESC, record_id);

ALTER TABLE pool_movement ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_movement FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_movement_scope ON pool_movement USING ((SELECT app.sees_all()));

CREATE TABLE harvest_funding (
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  attempt integer NOT NULL CHECK (attempt > 0),
  units numeric(38, 0) NOT NULL CHECK (units >= 0),
  to_address text,
  transfer_id uuid UNIQUE REFERENCES transfer ON DELETE RESTRICT,
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'ordered', 'sent', 'reverted', 'bounced', 'lost', 'credited')),
  credited_units numeric(38, 0) NOT NULL DEFAULT 0 CHECK (credited_units >= 0),
  move_id uuid NOT NULL DEFAULT gen_random_uuid(),
  is_moved boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (cycle_id, attempt),
  CHECK ((transfer_id IS NULL) = (state = 'planned'))
);
COMMENT ON TABLE harvest_funding IS 'Transfers from a proxy wallet to the exchange, one for each attempt of a stop.';
COMMENT ON COLUMN harvest_funding.units IS '0: everything stays in the proxy wallet.';
COMMENT ON COLUMN harvest_funding.move_id IS
  'Id of the move to the trading wallet of the exchange, stored before the call: a repeat never moves twice.';

ALTER TABLE harvest_funding ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_funding FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_funding_scope ON harvest_funding USING ((SELECT app.sees_all()));

CREATE TABLE harvest_run (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  action text NOT NULL CHECK (action IN ('start', 'stop', 'retry')),
  goal text NOT NULL CHECK (goal IN ('start', 'stop')),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  retries_id uuid REFERENCES harvest_run,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE harvest_run IS 'A start or stop of all pools together. It only observes: its pools go on alone.';

CREATE TABLE harvest_run_item (
  run_id uuid NOT NULL REFERENCES harvest_run ON DELETE RESTRICT,
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  state text NOT NULL DEFAULT 'moving' CHECK (state IN ('moving', 'awaiting', 'done', 'failed')),
  reason text,
  PRIMARY KEY (run_id, pooled_account_id)
);
COMMENT ON COLUMN harvest_run_item.state IS 'awaiting: the owner has to withdraw, which holds the pool no longer.';
CREATE INDEX harvest_run_item_open ON harvest_run_item (pooled_account_id) WHERE state IN ('moving', 'awaiting');

ALTER TABLE harvest_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_run FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_run_scope ON harvest_run USING ((SELECT app.sees_all()));
ALTER TABLE harvest_run_item ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_run_item FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_run_item_scope ON harvest_run_item USING ((SELECT app.sees_all()));

CREATE TABLE harvest_resolution (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  version integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('repeat', 'funding_bounced', 'funding_lost', 'abort')),
  evidence text NOT NULL CHECK (btrim(evidence) <> ''),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (cycle_id, version)
);
COMMENT ON TABLE harvest_resolution IS
  'A decision that one super admin proposes with evidence and another one confirms. A change of the cycle ends it.';

ALTER TABLE harvest_resolution ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_resolution FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_resolution_scope ON harvest_resolution USING ((SELECT app.sees_all()));

-- Owners of communities are notified as traders are.
ALTER TABLE message
  ALTER COLUMN trader_id DROP NOT NULL,
  ADD COLUMN community_id uuid REFERENCES community ON DELETE RESTRICT,
  ADD CONSTRAINT message_addressee CHECK (num_nonnulls(trader_id, community_id) = 1),
  DROP CONSTRAINT message_kind_check,
  ADD CONSTRAINT message_kind_check CHECK (kind IN ('invoice_created', 'invoice_due_soon', 'invoice_overdue',
    'invoice_paid', 'unpaid_invoices', 'withdraw_funds', 'withdraw_reminder', 'withdrawal_cancelled'));
COMMENT ON COLUMN message.community_id IS 'The community whose owner it is for; NULL: it is for a trader.';
CREATE INDEX message_by_community ON message (community_id, created_at DESC) WHERE community_id IS NOT NULL;
