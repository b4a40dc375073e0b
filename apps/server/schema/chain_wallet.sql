-- Written by `npm run generate` from a migrated database. Do not edit.

-- Addresses of ours. The row of an address hands out its nonces, whichever worker signs.
CREATE TABLE chain_wallet (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  chain_id integer NOT NULL,
  role text NOT NULL,
  -- A trader or a community; zeros for the platform.
  owner_id uuid NOT NULL,
  -- Path index of the key below the seed.
  key_index integer NOT NULL,
  address text NOT NULL,
  -- Starts at zero, whatever the chain reports: a restored database must not adopt transactions that it never
  -- signed.
  next_nonce bigint NOT NULL DEFAULT 0,
  -- Every nonce from here on is ours. A person accepted the transactions below it.
  first_nonce bigint NOT NULL DEFAULT 0,
  -- While set, nothing is signed or sent; a person clears it.
  frozen_because text,
  frozen_at timestamptz,
  -- Number of transactions that the chain knew of the address when it was frozen.
  chain_nonce bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT chain_wallet_address_check CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT chain_wallet_chain_id_role_owner_id_key UNIQUE (chain_id, role, owner_id),
  CONSTRAINT chain_wallet_check CHECK ((frozen_because IS NULL) = (frozen_at IS NULL)),
  CONSTRAINT chain_wallet_check1 CHECK ((role = 'gas') = (owner_id = '00000000-0000-0000-0000-000000000000'::uuid)),
  CONSTRAINT chain_wallet_first_nonce_check CHECK (first_nonce >= 0),
  CONSTRAINT chain_wallet_key_index_check CHECK (key_index >= 0),
  CONSTRAINT chain_wallet_next_nonce_check CHECK (next_nonce >= 0),
  CONSTRAINT chain_wallet_pkey PRIMARY KEY (id),
  CONSTRAINT chain_wallet_role_check
    CHECK (role = ANY (ARRAY['gas', 'community', 'deposit', 'pool_deposit', 'pool_proxy']))
);

CREATE UNIQUE INDEX chain_wallet_by_address ON chain_wallet (chain_id, lower(address));
CREATE INDEX chain_wallet_frozen ON chain_wallet (id) WHERE frozen_because IS NOT NULL;

ALTER TABLE chain_wallet ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_wallet FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_wallet_scope ON chain_wallet FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER chain_wallet_thawed AFTER UPDATE OF frozen_because ON chain_wallet FOR EACH ROW
  WHEN (old.frozen_because IS NOT NULL AND new.frozen_because IS NULL) EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER nonce_goes_up BEFORE UPDATE OF next_nonce ON chain_wallet FOR EACH ROW
  WHEN (new.next_nonce < old.next_nonce AND NOT (NOT old.frozen_because IS DISTINCT FROM 'nonce_gap'
  AND new.frozen_because IS NULL)) EXECUTE FUNCTION app.refuse_chain_change();
