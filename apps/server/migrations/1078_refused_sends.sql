-- What servers of the chain say about transactions that they do not take.
ALTER TABLE transfer_attempt
  ADD COLUMN refusal text,
  ADD COLUMN refusal_detail text,
  ADD COLUMN refused_at timestamptz,
  ADD COLUMN refusals integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT transfer_attempt_refused CHECK (refusals >= 0 AND (refusal IS NULL OR refusal ~ '^[a-z_]+$')
    AND (refusal IS NULL) = (refused_at IS NULL) AND (refusal IS NULL) = (refusal_detail IS NULL)) NOT VALID;
COMMENT ON COLUMN transfer_attempt.refusal IS
  'Why no server takes it: a code. NULL: a server took it last, or it was not sent yet.';
COMMENT ON COLUMN transfer_attempt.refusal_detail IS 'The words of the server.';
COMMENT ON COLUMN transfer_attempt.refusals IS 'How often in a row every server refused it.';
GRANT UPDATE (refusal, refusal_detail, refused_at, refusals) ON transfer_attempt TO copydesk_app;

ALTER TABLE transfer_heartbeat
  ADD COLUMN halted_detail text,
  ADD COLUMN tip_floor_wei numeric(38, 0),
  ADD COLUMN tip_floor_at timestamptz,
  DROP CONSTRAINT transfer_heartbeat_halted_because_check,
  ADD CONSTRAINT transfer_heartbeat_halted_because_check
    CHECK (halted_because IN ('chain_silent', 'fees_too_high', 'turn_failed', 'sends_refused')) NOT VALID,
  ADD CONSTRAINT transfer_heartbeat_tip_floor_check
    CHECK ((tip_floor_wei IS NULL) = (tip_floor_at IS NULL) AND tip_floor_wei > 0) NOT VALID;
-- compatible: one row a chain
ALTER TABLE transfer_heartbeat VALIDATE CONSTRAINT transfer_heartbeat_halted_because_check;
-- compatible: one row a chain
ALTER TABLE transfer_heartbeat VALIDATE CONSTRAINT transfer_heartbeat_tip_floor_check;
COMMENT ON COLUMN transfer_heartbeat.halted_detail IS 'The words of the error or of the server; NULL without any.';
COMMENT ON COLUMN transfer_heartbeat.tip_floor_wei IS
  'The lowest tip that servers take, learned from a refusal, wei per unit of gas. Forgotten a day after.';
