-- Wallets of ours, and how far the chain is read.

CREATE TABLE chain_cursor (
  chain_id integer NOT NULL,
  token_address text NOT NULL CHECK (token_address ~ '^0x[0-9a-f]{40}$'),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  block_hash text NOT NULL CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
  stopped_because text,
  updated_at timestamptz NOT NULL DEFAULT now(),
  needs_review boolean NOT NULL DEFAULT false,
  first_block bigint,
  reread_to bigint,
  block_made_at timestamptz,
  PRIMARY KEY (chain_id, token_address),
  CONSTRAINT chain_cursor_review CHECK (NOT needs_review OR stopped_because IS NOT NULL)
);
COMMENT ON TABLE chain_cursor IS 'How far the deposit loop has read the chain.';
COMMENT ON COLUMN chain_cursor.block_number IS
  'The last final block whose transfers are booked. Reading stops when the chain reports another block_hash for it.';
COMMENT ON COLUMN chain_cursor.stopped_because IS 'Why reading is stopped; set as long as it is.';
COMMENT ON COLUMN chain_cursor.needs_review IS
  'Whether a person must clear the reason. Otherwise the next range that is read clears it.';
COMMENT ON COLUMN chain_cursor.first_block IS 'The block after which reading began. NULL: not known.';
COMMENT ON COLUMN chain_cursor.reread_to IS
  'The last block that the nightly second reading has read. NULL: it begins where reading is.';
COMMENT ON COLUMN chain_cursor.block_made_at IS
  'When the last block that was read was made, by the chain. NULL: no block was read since the upgrade.';

ALTER TABLE chain_cursor ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_cursor FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_cursor_scope ON chain_cursor USING ((SELECT app.sees_all()));

-- A person lets reading go on.
REVOKE INSERT, UPDATE, DELETE ON chain_cursor FROM copydesk_app;
GRANT UPDATE (stopped_because, updated_at, needs_review) ON chain_cursor TO copydesk_app;
GRANT INSERT, UPDATE ON chain_cursor TO copydesk_worker;

CREATE TABLE chain_wallet (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  chain_id integer NOT NULL,
  role text NOT NULL CHECK (role IN ('gas', 'community', 'deposit', 'pool_deposit', 'pool_proxy')),
  owner_id uuid NOT NULL,
  key_index integer NOT NULL CHECK (key_index >= 0),
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  next_nonce bigint NOT NULL DEFAULT 0 CHECK (next_nonce >= 0),
  first_nonce bigint NOT NULL DEFAULT 0 CHECK (first_nonce >= 0),
  frozen_because text,
  frozen_at timestamptz,
  chain_nonce bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT chain_wallet_chain_id_role_owner_id_key UNIQUE (chain_id, role, owner_id),
  CONSTRAINT chain_wallet_check CHECK ((frozen_because IS NULL) = (frozen_at IS NULL)),
  CONSTRAINT chain_wallet_check1 CHECK ((role = 'gas') = (owner_id = '00000000-0000-0000-0000-000000000000'::uuid))
);
COMMENT ON TABLE chain_wallet IS
  'Addresses of ours. The row of an address hands out its nonces, whichever worker signs.';
COMMENT ON COLUMN chain_wallet.owner_id IS 'A trader or a community; zeros for the platform.';
COMMENT ON COLUMN chain_wallet.key_index IS 'Path index of the key below the seed.';
COMMENT ON COLUMN chain_wallet.next_nonce IS
  'Starts at zero, whatever the chain reports: a restored database must not adopt transactions that it never signed.';
COMMENT ON COLUMN chain_wallet.first_nonce IS
  'Every nonce from here on is ours. A person accepted the transactions below it.';
COMMENT ON COLUMN chain_wallet.frozen_because IS 'While set, nothing is signed or sent; a person clears it.';
COMMENT ON COLUMN chain_wallet.chain_nonce IS
  'Number of transactions that the chain knew of the address when it was frozen.';
CREATE UNIQUE INDEX chain_wallet_by_address ON chain_wallet (chain_id, lower(address));
CREATE INDEX chain_wallet_frozen ON chain_wallet (id) WHERE frozen_because IS NOT NULL;

ALTER TABLE chain_wallet ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_wallet FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_wallet_scope ON chain_wallet USING ((SELECT app.sees_all()));

-- A nonce is handed out once, and an ended transfer keeps its state. The exception is a gap: when the chain has fewer
-- transactions than recorded and a person gives up the unused nonces, they are handed out again. UNIQUE (wallet_id,
-- nonce) still holds.
CREATE FUNCTION app.refuse_chain_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what was signed or has ended on chain does not change'
    USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER nonce_goes_up BEFORE UPDATE OF next_nonce ON chain_wallet
  FOR EACH ROW WHEN (NEW.next_nonce < OLD.next_nonce
    AND NOT (OLD.frozen_because IS NOT DISTINCT FROM 'nonce_gap' AND NEW.frozen_because IS NULL))
  EXECUTE FUNCTION app.refuse_chain_change();
CREATE TRIGGER chain_wallet_thawed AFTER UPDATE OF frozen_because ON chain_wallet
  FOR EACH ROW WHEN (OLD.frozen_because IS NOT NULL AND NEW.frozen_because IS NULL)
  EXECUTE FUNCTION app.announce_work();

-- Records about money stay: the application may change their state, and nothing else.
REVOKE UPDATE, DELETE ON chain_wallet FROM copydesk_app;
GRANT UPDATE (created_at) ON chain_wallet TO copydesk_app;
GRANT UPDATE (next_nonce, first_nonce, frozen_because, frozen_at, chain_nonce) ON chain_wallet TO copydesk_worker;

CREATE TABLE chain_address_check (
  chain_id integer NOT NULL,
  token_address text NOT NULL,
  address text NOT NULL,
  block_number bigint,
  surplus_units numeric(38, 0),
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, token_address, address),
  CHECK (token_address ~ '^0x[0-9a-f]{40}$' AND address ~ '^0x[0-9a-f]{40}$'),
  CHECK ((block_number IS NULL) = (surplus_units IS NULL)),
  CHECK (surplus_units >= 0)
);
COMMENT ON TABLE chain_address_check IS
  'When the balance of each address of ours was last compared with the chain: all of them once a day.';
COMMENT ON COLUMN chain_address_check.block_number IS
  'The last block up to which no transfer is missing. A search begins there. NULL: none is known.';
COMMENT ON COLUMN chain_address_check.surplus_units IS
  'What the chain had there beyond the ledger, none of it by a transfer that can be booked.';

ALTER TABLE chain_address_check ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_address_check FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_address_check_scope ON chain_address_check FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));

REVOKE INSERT, UPDATE, DELETE ON chain_address_check FROM copydesk_app;
GRANT INSERT, UPDATE ON chain_address_check TO copydesk_worker;

-- Whether an address is one of ours, or the token itself: nothing may be paid out there. Staff change payout addresses
-- of traders and see their own providers only, so the function runs with the owner's rights and answers only yes or no.
CREATE FUNCTION app.is_platform_address(wanted text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  found boolean;
BEGIN
  SELECT EXISTS (SELECT FROM trader WHERE lower(deposit_address) = lower(wanted) AND deposit_address IS NOT NULL)
    OR EXISTS (SELECT FROM community WHERE lower(internal_wallet_address) = lower(wanted))
    OR EXISTS (SELECT FROM pooled_account WHERE lower(proxy_address) = lower(wanted))
    OR EXISTS (SELECT FROM pool_member WHERE lower(deposit_address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_wallet WHERE lower(address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_cursor WHERE token_address = lower(wanted)) INTO found;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN found;
END
$$;
GRANT EXECUTE ON FUNCTION app.is_platform_address(text) TO copydesk_app;
