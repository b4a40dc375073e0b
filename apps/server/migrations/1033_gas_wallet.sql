-- Coin of the gas wallet as the worker last read it, so that an operator sees where to send BNB, and when.

ALTER TABLE transfer_heartbeat
  ADD COLUMN gas_wei numeric(78, 0) CHECK (gas_wei >= 0),
  ADD COLUMN gas_read_at timestamptz,
  ADD CONSTRAINT transfer_heartbeat_gas CHECK ((gas_wei IS NULL) = (gas_read_at IS NULL));
COMMENT ON COLUMN transfer_heartbeat.gas_wei IS 'Coin of the gas wallet, wei. NULL: not read yet.';
