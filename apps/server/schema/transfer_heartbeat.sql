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
  CONSTRAINT transfer_heartbeat_check CHECK ((halted_because IS NULL) = (halted_at IS NULL)),
  CONSTRAINT transfer_heartbeat_gas CHECK ((gas_wei IS NULL) = (gas_read_at IS NULL)),
  CONSTRAINT transfer_heartbeat_gas_wei_check CHECK (gas_wei >= 0::numeric),
  CONSTRAINT transfer_heartbeat_halted_because_check
    CHECK (halted_because = ANY (ARRAY['chain_silent', 'fees_too_high', 'turn_failed'])),
  CONSTRAINT transfer_heartbeat_pkey PRIMARY KEY (chain_id)
);

ALTER TABLE transfer_heartbeat ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_heartbeat FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_heartbeat_scope ON transfer_heartbeat FOR ALL
  USING ((SELECT app.sees_all()));
