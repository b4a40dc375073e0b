-- Written by `npm run generate` from a migrated database. Do not edit.

-- The latest change of each payout address: the address book. An address is paid to once another super admin has
-- released it and its waiting time has passed, so that neither a hijacked account nor one person alone can point
-- payouts elsewhere. Addresses that the owner of the database sets (imports, manual set-up) are in the book.
CREATE TABLE payout_address_change (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  owner_kind text NOT NULL,
  -- A uuid; for the platform, the recipient type; for a trader_referrer, the trader who was referred.
  owner_id text NOT NULL,
  -- For a trader_referrer, the id of the trader who referred it.
  address text,
  previous_address text,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by_id text NOT NULL,
  -- When another person put the address into the book.
  released_at timestamptz,
  released_by_id text,
  released_by text,
  CONSTRAINT payout_address_change_check
    CHECK ((released_at IS NULL) = (released_by_id IS NULL) AND (released_at IS NULL) = (released_by IS NULL)),
  CONSTRAINT payout_address_change_check1 CHECK (released_by_id <> changed_by_id),
  CONSTRAINT payout_address_change_owner_kind_check
    CHECK (owner_kind = ANY (ARRAY['provider', 'community', 'community_referrer', 'trader', 'platform',
    'trader_referrer'])),
  CONSTRAINT payout_address_change_owner_kind_owner_id_key UNIQUE (owner_kind, owner_id),
  CONSTRAINT payout_address_change_pkey PRIMARY KEY (id)
);

CREATE INDEX payout_address_change_lately ON payout_address_change (changed_at) WHERE owner_kind = 'trader';
CREATE INDEX payout_address_change_waiting ON payout_address_change (changed_at DESC, id) WHERE released_at IS NULL;

ALTER TABLE payout_address_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_address_change FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_address_change_scope ON payout_address_change FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER address_entered AFTER INSERT OR UPDATE OF address ON payout_address_change FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER address_released BEFORE UPDATE OF released_at, released_by_id, released_by ON payout_address_change
  FOR EACH ROW WHEN (new.released_at IS NOT NULL AND app.is_api()) EXECUTE FUNCTION app.refuse_dependent_release();
CREATE TRIGGER address_released_by_owner BEFORE UPDATE OF released_at, released_by_id, released_by
  ON payout_address_change FOR EACH ROW WHEN (new.released_by_id = 'owner' AND app.is_application())
  EXECUTE FUNCTION app.refuse_release_without_word();
CREATE TRIGGER address_released_is_no_token BEFORE UPDATE OF released_at, released_by_id, released_by
  ON payout_address_change FOR EACH ROW WHEN (new.released_at IS NOT NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_token_contract();
CREATE TRIGGER no_worker_releases BEFORE INSERT OR UPDATE OF released_at, released_by_id ON payout_address_change
  FOR EACH ROW WHEN (new.released_at IS NOT NULL AND new.released_by_id <> 'owner' AND app.is_worker())
  EXECUTE FUNCTION app.refuse_worker();
