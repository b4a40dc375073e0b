-- Written by `npm run generate` from a migrated database. Do not edit.

-- When a worker last processed the payouts of a chain, and what halts all of them. A waiting payout without a reason
-- of its own shows this one. Times come from the clock of the database: clocks of workers may differ.
CREATE TABLE transfer_heartbeat (
  chain_id integer NOT NULL,
  looked_at timestamptz NOT NULL DEFAULT now(),
  halted_because text,
  halted_at timestamptz,
  -- Coin of the gas wallet, wei. NULL: not read yet.
  gas_wei numeric(78,0),
  gas_read_at timestamptz,
  -- The words of the error or of the server; NULL without any.
  halted_detail text,
  -- The lowest tip that servers take, learned from a refusal, wei per unit of gas. Forgotten a day after.
  tip_floor_wei numeric(38,0),
  tip_floor_at timestamptz,
  CONSTRAINT transfer_heartbeat_check CHECK ((halted_because IS NULL) = (halted_at IS NULL)),
  CONSTRAINT transfer_heartbeat_gas CHECK ((gas_wei IS NULL) = (gas_read_at IS NULL)),
  CONSTRAINT transfer_heartbeat_gas_wei_check CHECK (gas_wei >= 0::numeric),
  CONSTRAINT transfer_heartbeat_halted_because_check
    CHECK (halted_because = ANY (ARRAY['chain_silent', 'fees_too_high', 'turn_failed', 'sends_refused',
    'no_standby'])),
  CONSTRAINT transfer_heartbeat_pkey PRIMARY KEY (chain_id),
  CONSTRAINT transfer_heartbeat_tip_floor_check
    CHECK ((tip_floor_wei IS NULL) = (tip_floor_at IS NULL) AND tip_floor_wei > 0::numeric)
);

ALTER TABLE transfer_heartbeat ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_heartbeat FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_heartbeat_scope ON transfer_heartbeat FOR ALL
  USING ((SELECT app.sees_all()));
