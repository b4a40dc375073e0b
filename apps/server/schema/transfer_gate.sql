-- Written by `npm run generate` from a migrated database. Do not edit.

-- Whether payments are stopped: one row, which everyone may read. Who signs holds a lock on it that a stop waits
-- for.
CREATE TABLE transfer_gate (
  single boolean NOT NULL DEFAULT true,
  stopped_since timestamptz,
  -- An operator said that there is no standby: until then, transfers are sent that no standby has stored.
  standby_forgotten_until timestamptz,
  CONSTRAINT transfer_gate_pkey PRIMARY KEY (single),
  CONSTRAINT transfer_gate_single_check CHECK (single)
);

CREATE TRIGGER transfer_gate_moved AFTER UPDATE ON transfer_gate FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_stop();
