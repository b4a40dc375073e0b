-- Written by `npm run generate` from a migrated database. Do not edit.

-- What becomes of an unexplained arrival, or a part of it: one super admin proposes it and another one confirms it.
CREATE TABLE pool_arrival_decision (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  arrival_id uuid NOT NULL,
  kind text NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  to_address text,
  evidence text NOT NULL,
  -- sending: confirmed, and its transfer is under way. failed: that transfer ended without moving anything.
  state text NOT NULL DEFAULT 'proposed',
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Who confirmed or withdrew it.
  decided_by text,
  transfer_id uuid,
  ended_at timestamptz,
  -- The withdrawal that the exchange lists and that this arrival belongs to; null: two people decided without one.
  movement_record_id text,
  -- The cycle whose result the returned money is part of.
  booked_cycle_id uuid,
  undone_by text,
  undone_reason text,
  -- Who confirmed it. NULL: before this was recorded, or not confirmed.
  decided_by_id text,
  CONSTRAINT pool_arrival_decision_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT pool_arrival_decision_arrival_id_fkey FOREIGN KEY (arrival_id) REFERENCES pool_arrival(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_arrival_decision_booked_cycle_id_fkey FOREIGN KEY (booked_cycle_id) REFERENCES harvest_cycle(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_arrival_decision_check CHECK ((kind = 'sent_back') = (to_address IS NOT NULL)),
  CONSTRAINT pool_arrival_decision_check1 CHECK (kind = 'sent_back' OR transfer_id IS NULL),
  CONSTRAINT pool_arrival_decision_check2 CHECK ((state = 'proposed') = (decided_by IS NULL)),
  CONSTRAINT pool_arrival_decision_check3 CHECK ((state = ANY (ARRAY['proposed', 'sending'])) = (ended_at IS NULL)),
  CONSTRAINT pool_arrival_decision_evidence_check CHECK (btrim(evidence) <> ''),
  CONSTRAINT pool_arrival_decision_kind_check
    CHECK (kind = ANY (ARRAY['is_return', 'sent_back', 'covers_shortfall'])),
  CONSTRAINT pool_arrival_decision_movement CHECK (movement_record_id IS NULL OR kind = 'is_return'),
  CONSTRAINT pool_arrival_decision_pkey PRIMARY KEY (id),
  CONSTRAINT pool_arrival_decision_state_check
    CHECK (state = ANY (ARRAY['proposed', 'sending', 'done', 'failed', 'withdrawn', 'undone'])),
  CONSTRAINT pool_arrival_decision_to_address_check CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT pool_arrival_decision_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id)
    ON DELETE RESTRICT,
  CONSTRAINT pool_arrival_decision_transfer_id_key UNIQUE (transfer_id),
  CONSTRAINT pool_arrival_decision_undone CHECK (state <> 'undone' OR kind = 'is_return'),
  CONSTRAINT pool_arrival_decision_undone_by CHECK ((state = 'undone') = (undone_by IS NOT NULL)),
  CONSTRAINT pool_arrival_decision_undone_reason CHECK ((state = 'undone') = (undone_reason IS NOT NULL)),
  CONSTRAINT pool_arrival_decision_undone_reason_check CHECK (btrim(undone_reason) <> '')
);

CREATE INDEX pool_arrival_decision_by_arrival ON pool_arrival_decision (arrival_id, created_at DESC);
CREATE INDEX pool_arrival_decision_by_booked_cycle ON pool_arrival_decision (booked_cycle_id)
  WHERE booked_cycle_id IS NOT NULL;
CREATE INDEX pool_arrival_decision_by_movement ON pool_arrival_decision (movement_record_id)
  WHERE movement_record_id IS NOT NULL;
CREATE UNIQUE INDEX pool_arrival_decision_open ON pool_arrival_decision (arrival_id)
  WHERE state = ANY (ARRAY['proposed', 'sending']);

ALTER TABLE pool_arrival_decision ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_arrival_decision FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_arrival_decision_scope ON pool_arrival_decision FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER arrival_decision_confirmed BEFORE UPDATE OF state ON pool_arrival_decision FOR EACH ROW
  WHEN ((new.state = ANY (ARRAY['sending', 'done'])) AND new.movement_record_id IS NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_dependent_decision();
CREATE TRIGGER arrival_decision_inserted BEFORE INSERT ON pool_arrival_decision FOR EACH ROW
  WHEN (new.state <> 'proposed' AND new.movement_record_id IS NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_dependent_decision();
CREATE TRIGGER no_worker_confirms BEFORE UPDATE OF state ON pool_arrival_decision FOR EACH ROW
  WHEN (old.state <> 'sending' AND (new.state = ANY (ARRAY['sending', 'done'])) AND new.movement_record_id IS NULL
  AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER no_worker_decides BEFORE INSERT ON pool_arrival_decision FOR EACH ROW
  WHEN (new.state <> 'proposed' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
