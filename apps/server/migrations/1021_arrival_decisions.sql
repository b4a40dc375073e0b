-- What two super admins decide about tokens at proxy wallets whose origin is not known, and proposals that replace others.

CREATE TABLE pool_arrival_decision (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  arrival_id uuid NOT NULL REFERENCES pool_arrival ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('is_return', 'sent_back', 'covers_shortfall')),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  to_address text CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  evidence text NOT NULL CHECK (btrim(evidence) <> ''),
  state text NOT NULL DEFAULT 'proposed' CHECK (state IN ('proposed', 'sending', 'done', 'failed', 'withdrawn')),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_by text,
  transfer_id uuid UNIQUE REFERENCES transfer ON DELETE RESTRICT,
  ended_at timestamptz,
  CHECK ((kind = 'sent_back') = (to_address IS NOT NULL)),
  CHECK (kind = 'sent_back' OR transfer_id IS NULL),
  CHECK ((state = 'proposed') = (decided_by IS NULL)),
  CHECK ((state IN ('proposed', 'sending')) = (ended_at IS NULL))
);
COMMENT ON TABLE pool_arrival_decision IS
  'What becomes of an unexplained arrival, or a part of it: one super admin proposes it and another one confirms it.';
COMMENT ON COLUMN pool_arrival_decision.state IS
  'sending: confirmed, and its transfer is under way. failed: that transfer ended without moving anything.';
COMMENT ON COLUMN pool_arrival_decision.decided_by IS 'Who confirmed or withdrew it.';
CREATE UNIQUE INDEX pool_arrival_decision_open ON pool_arrival_decision (arrival_id)
  WHERE state IN ('proposed', 'sending');
CREATE INDEX pool_arrival_decision_by_arrival ON pool_arrival_decision (arrival_id, created_at DESC);

ALTER TABLE pool_arrival_decision ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_arrival_decision FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_arrival_decision_scope ON pool_arrival_decision USING ((SELECT app.sees_all()));
REVOKE UPDATE, DELETE ON pool_arrival_decision FROM copydesk_app;
GRANT UPDATE (state, decided_by, transfer_id, ended_at) ON pool_arrival_decision TO copydesk_app;

ALTER TABLE pool_arrival
  ADD COLUMN decided_units numeric(38, 0) NOT NULL DEFAULT 0,
  ADD CONSTRAINT pool_arrival_decided CHECK (decided_units BETWEEN 0 AND amount_units),
  ADD CONSTRAINT pool_arrival_resolved CHECK (state <> 'resolved' OR decided_units = amount_units);
COMMENT ON COLUMN pool_arrival.decided_units IS 'The part whose end two people decided. The rest is unexplained.';
GRANT UPDATE (decided_units) ON pool_arrival TO copydesk_app;

ALTER TABLE transfer
  DROP CONSTRAINT transfer_kind_check,
  ADD CONSTRAINT transfer_kind_check CHECK (kind IN ('gas_topup', 'consolidate', 'distribute', 'pool_collect',
    'pool_return', 'pool_withdraw', 'pool_fund', 'pool_fee', 'pool_send_back'));

ALTER TABLE harvest_resolution
  ADD COLUMN replaced_at timestamptz,
  DROP CONSTRAINT harvest_resolution_cycle_id_version_key;
COMMENT ON COLUMN harvest_resolution.replaced_at IS 'When another proposal took its place.';
CREATE UNIQUE INDEX harvest_resolution_open ON harvest_resolution (cycle_id, version) WHERE replaced_at IS NULL;
GRANT UPDATE (replaced_at) ON harvest_resolution TO copydesk_app;
