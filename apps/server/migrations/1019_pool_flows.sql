-- What members ask of a pool, and what arrives at its proxy wallet.

CREATE TABLE pool_withdrawal (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  pooled_account_id uuid NOT NULL,
  member_id uuid NOT NULL,
  amount_units numeric(38, 0) CHECK (amount_units > 0),
  state text NOT NULL DEFAULT 'queued'
    CHECK (state IN ('queued', 'reserved', 'paying', 'paid', 'refused', 'cancelled')),
  reserved_units numeric(38, 0) CHECK (reserved_units > 0),
  attempt integer NOT NULL DEFAULT 0,
  to_address text CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  transfer_id uuid REFERENCES transfer ON DELETE RESTRICT,
  cycle_id uuid REFERENCES harvest_cycle ON DELETE RESTRICT,
  waits_because text CHECK (waits_because ~ '^[a-z_]+$'),
  refusal text CHECK (refusal ~ '^[a-z_]+$'),
  available_units numeric(38, 0),
  request_key text UNIQUE CHECK (btrim(request_key) <> ''),
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  FOREIGN KEY (member_id, pooled_account_id) REFERENCES pool_member (id, pooled_account_id) ON DELETE RESTRICT,
  CHECK ((state IN ('reserved', 'paying', 'paid')) = (reserved_units IS NOT NULL)),
  CHECK ((state IN ('paying', 'paid')) = (transfer_id IS NOT NULL)),
  CHECK ((state = 'refused') = (refusal IS NOT NULL)),
  CHECK ((state IN ('paid', 'refused', 'cancelled')) = (ended_at IS NOT NULL))
);
COMMENT ON TABLE pool_withdrawal IS 'Requests of members to withdraw. They are paid while the pool is open.';
COMMENT ON COLUMN pool_withdrawal.amount_units IS 'NULL: everything that the member has when it is reserved.';
COMMENT ON COLUMN pool_withdrawal.attempt IS 'Reservations so far; each has its own source in the ledger.';
COMMENT ON COLUMN pool_withdrawal.request_key IS 'Of the caller: the same request is stored once.';
CREATE INDEX pool_withdrawal_by_pool ON pool_withdrawal (pooled_account_id, created_at DESC, id);
CREATE INDEX pool_withdrawal_by_member ON pool_withdrawal (member_id, created_at DESC);
CREATE INDEX pool_withdrawal_open ON pool_withdrawal (pooled_account_id, state, created_at)
  WHERE state IN ('queued', 'reserved', 'paying');
CREATE INDEX pool_withdrawal_by_transfer ON pool_withdrawal (transfer_id) WHERE transfer_id IS NOT NULL;

ALTER TABLE pool_withdrawal ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_withdrawal FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_withdrawal_scope ON pool_withdrawal
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM pool_member m WHERE m.id = pool_withdrawal.member_id))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TABLE pool_arrival (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  pooled_account_id uuid NOT NULL REFERENCES pooled_account ON DELETE RESTRICT,
  cycle_id uuid NOT NULL REFERENCES harvest_cycle ON DELETE RESTRICT,
  chain_id integer NOT NULL,
  token_address text NOT NULL CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  from_address text NOT NULL CHECK (from_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  state text NOT NULL CHECK (state IN ('returned', 'bounced', 'unexplained', 'resolved')),
  seen_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz,
  UNIQUE (chain_id, transaction_hash, log_index),
  CHECK ((state = 'resolved') = (resolved_at IS NOT NULL))
);
COMMENT ON TABLE pool_arrival IS
  'Tokens in a final block at a pool''s proxy wallet that none of our own transfers brought.';
COMMENT ON COLUMN pool_arrival.state IS
  'returned: a withdrawal from the exchange. bounced: a funding transfer that it sent back. unexplained: neither is known.';
CREATE INDEX pool_arrival_by_pool ON pool_arrival (pooled_account_id, seen_at DESC, id);
CREATE INDEX pool_arrival_unexplained ON pool_arrival (pooled_account_id) WHERE state = 'unexplained';

ALTER TABLE pool_arrival ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_arrival FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_arrival_scope ON pool_arrival USING ((SELECT app.sees_all()));

REVOKE UPDATE, DELETE ON pool_withdrawal, pool_arrival FROM copydesk_app;
GRANT UPDATE (state, reserved_units, attempt, to_address, transfer_id, cycle_id, waits_because, refusal, available_units,
  ended_at) ON pool_withdrawal TO copydesk_app;
GRANT UPDATE (state, resolved_at) ON pool_arrival TO copydesk_app;
