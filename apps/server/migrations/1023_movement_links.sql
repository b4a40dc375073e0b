-- Withdrawals of the exchange that arrivals are linked to, and links that are undone.

ALTER TABLE pool_arrival_decision
  ADD COLUMN movement_record_id text,
  ADD COLUMN booked_cycle_id uuid REFERENCES harvest_cycle ON DELETE RESTRICT,
  ADD COLUMN undone_by text,
  ADD COLUMN undone_reason text CHECK (btrim(undone_reason) <> ''),
  DROP CONSTRAINT pool_arrival_decision_state_check,
  ADD CONSTRAINT pool_arrival_decision_state_check
    CHECK (state IN ('proposed', 'sending', 'done', 'failed', 'withdrawn', 'undone')),
  ADD CONSTRAINT pool_arrival_decision_movement CHECK (movement_record_id IS NULL OR kind = 'is_return'),
  ADD CONSTRAINT pool_arrival_decision_undone CHECK (state <> 'undone' OR kind = 'is_return'),
  ADD CONSTRAINT pool_arrival_decision_undone_by CHECK ((state = 'undone') = (undone_by IS NOT NULL)),
  ADD CONSTRAINT pool_arrival_decision_undone_reason CHECK ((state = 'undone') = (undone_reason IS NOT NULL));
COMMENT ON COLUMN pool_arrival_decision.movement_record_id IS
  'The withdrawal that the exchange lists and that this arrival belongs to; null: two people decided without one.';
COMMENT ON COLUMN pool_arrival_decision.booked_cycle_id IS 'The cycle whose result the returned money is part of.';
GRANT UPDATE (booked_cycle_id, undone_by, undone_reason) ON pool_arrival_decision TO copydesk_app;
CREATE INDEX pool_arrival_decision_by_movement ON pool_arrival_decision (movement_record_id)
  WHERE movement_record_id IS NOT NULL;
CREATE INDEX pool_arrival_decision_by_booked_cycle ON pool_arrival_decision (booked_cycle_id)
  WHERE booked_cycle_id IS NOT NULL;
