-- Written by `npm run generate` from a migrated database. Do not edit.

-- A signed transaction of a transfer. Only these bytes are sent, repeatedly if necessary.
CREATE TABLE transfer_attempt (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  transfer_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  nonce bigint NOT NULL,
  attempt integer NOT NULL,
  -- Spends the nonce on an empty transaction instead of the transfer.
  is_cancel boolean NOT NULL DEFAULT false,
  hash text NOT NULL,
  raw text NOT NULL,
  max_fee_wei numeric(38,0) NOT NULL,
  priority_fee_wei numeric(38,0) NOT NULL,
  gas_limit bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When a server last accepted it.
  broadcast_at timestamptz,
  -- The receipt, once final: block_number, block_hash, is_success and fee_wei.
  block_number bigint,
  block_hash text,
  is_success boolean,
  fee_wei numeric(38,0),
  -- Why no server takes it: a code. NULL: a server took it last, or it was not sent yet.
  refusal text,
  -- The words of the server.
  refusal_detail text,
  refused_at timestamptz,
  -- How often in a row every server refused it.
  refusals integer NOT NULL DEFAULT 0,
  CONSTRAINT transfer_attempt_attempt_check CHECK (attempt > 0),
  CONSTRAINT transfer_attempt_check
    CHECK (num_nonnulls(block_number, block_hash, is_success, fee_wei) = ANY (ARRAY[0, 4])),
  CONSTRAINT transfer_attempt_gas_limit_check CHECK (gas_limit > 0),
  CONSTRAINT transfer_attempt_hash_check CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  CONSTRAINT transfer_attempt_hash_key UNIQUE (hash),
  CONSTRAINT transfer_attempt_max_fee_wei_check CHECK (max_fee_wei > 0::numeric),
  CONSTRAINT transfer_attempt_pkey PRIMARY KEY (id),
  CONSTRAINT transfer_attempt_priority_fee_wei_check CHECK (priority_fee_wei >= 0::numeric),
  CONSTRAINT transfer_attempt_raw_check CHECK (raw ~ '^0x[0-9a-f]+$'),
  CONSTRAINT transfer_attempt_refused
    CHECK (refusals >= 0 AND (refusal IS NULL OR refusal ~ '^[a-z_]+$') AND (refusal IS NULL) = (refused_at IS NULL)
    AND (refusal IS NULL) = (refusal_detail IS NULL)),
  CONSTRAINT transfer_attempt_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE RESTRICT,
  CONSTRAINT transfer_attempt_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES chain_wallet(id) ON DELETE RESTRICT,
  CONSTRAINT transfer_attempt_wallet_id_nonce_attempt_key UNIQUE (wallet_id, nonce, attempt),
  CONSTRAINT transfer_attempt_wallet_id_nonce_fkey FOREIGN KEY (wallet_id, nonce)
    REFERENCES transfer(wallet_id, nonce)
);

CREATE INDEX transfer_attempt_by_receipt ON transfer_attempt (block_number DESC) INCLUDE (fee_wei)
  WHERE block_number IS NOT NULL;
CREATE INDEX transfer_attempt_of_intent ON transfer_attempt (transfer_id, attempt);

ALTER TABLE transfer_attempt ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_attempt FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_attempt_scope ON transfer_attempt FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER transfer_attempts_gated AFTER INSERT ON transfer_attempt REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_attempts_while_stopped();
