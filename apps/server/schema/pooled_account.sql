-- Written by `npm run generate` from a migrated database. Do not edit.

-- The shared exchange account of a community, visible with the community.
CREATE TABLE pooled_account (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  minimum_deposit_units numeric(38,0) NOT NULL,
  -- NULL until the worker, which has the seed, sets it up.
  proxy_address text,
  bybit_uid text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Path index of the proxy wallet below the seed (BIP-44).
  proxy_index integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  fee_basis text NOT NULL DEFAULT 'net_carry',
  -- Where the pool's money is sent at the stop of a harvest: the approved address, usable from
  -- bybit_deposit_address_from.
  bybit_deposit_address text,
  bybit_deposit_address_from timestamptz,
  bybit_deposit_address_by text,
  -- The deposit address as the exchange last gave it; NULL: its key may not read it.
  bybit_address_read text,
  bybit_address_read_at timestamptz,
  -- Whether the trading bot pauses and resumes it; otherwise an operator confirms.
  has_bot boolean NOT NULL DEFAULT false,
  -- All positions closed before were read; NULL: none yet. It moves only with spans that were read to their end.
  positions_read_until timestamptz,
  -- Per cent below the highest unit price at which the harvest of the pool cannot be stopped; NULL: no limit.
  max_drawdown_percentage numeric(5,2),
  -- The latest of breaker_raises, for the version before.
  breaker_raised_by text,
  breaker_raised_from numeric(5,2),
  -- Who raised or removed the limit since the pool traded last, and the lowest limit of each before: [{by, from}].
  -- It still holds for them.
  breaker_raises jsonb NOT NULL DEFAULT '[]'::jsonb,
  -- Another super admin approved its connection, or the owner of the database set it up. Before, it takes part in
  -- nothing.
  is_approved boolean NOT NULL DEFAULT true,
  -- The regional platform of Bybit that knows the key, as in kz; null: its main one.
  bybit_region text,
  CONSTRAINT pooled_account_active_approved CHECK (is_approved OR NOT is_active),
  CONSTRAINT pooled_account_address_from
    CHECK ((bybit_deposit_address IS NULL) = (bybit_deposit_address_from IS NULL)),
  CONSTRAINT pooled_account_address_read CHECK ((bybit_address_read IS NULL) = (bybit_address_read_at IS NULL)),
  CONSTRAINT pooled_account_breaker_raised CHECK ((breaker_raised_by IS NULL) = (breaker_raised_from IS NULL)),
  CONSTRAINT pooled_account_breaker_raises_check CHECK (jsonb_typeof(breaker_raises) = 'array'),
  CONSTRAINT pooled_account_bybit_address_read_check CHECK (bybit_address_read ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT pooled_account_bybit_deposit_address_check CHECK (bybit_deposit_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT pooled_account_bybit_region_check CHECK (bybit_region ~ '^[a-z]{2,8}$'),
  CONSTRAINT pooled_account_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id),
  CONSTRAINT pooled_account_community_id_key UNIQUE (community_id),
  CONSTRAINT pooled_account_fee_basis_check CHECK (fee_basis = ANY (ARRAY['net_carry', 'gross_winners'])),
  CONSTRAINT pooled_account_max_drawdown_percentage_check
    CHECK (max_drawdown_percentage > 0::numeric AND max_drawdown_percentage <= 100::numeric),
  CONSTRAINT pooled_account_minimum_deposit_units_check CHECK (minimum_deposit_units > 0::numeric),
  CONSTRAINT pooled_account_pkey PRIMARY KEY (id),
  CONSTRAINT pooled_account_proxy_address_check CHECK (proxy_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT pooled_account_proxy_index_key UNIQUE (proxy_index)
);

ALTER TABLE pooled_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE pooled_account FORCE ROW LEVEL SECURITY;
CREATE POLICY pooled_account_scope ON pooled_account FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM community c WHERE c.id = pooled_account.community_id)))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER no_worker_approves BEFORE UPDATE OF is_approved ON pooled_account FOR EACH ROW
  WHEN (new.is_approved AND NOT old.is_approved AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER pool_account_held AFTER UPDATE OF bybit_uid, is_active, is_approved ON pooled_account FOR EACH ROW
  WHEN (old.bybit_uid IS DISTINCT FROM new.bybit_uid OR (old.is_active OR NOT old.is_approved) <> (new.is_active
  OR NOT new.is_approved)) EXECUTE FUNCTION app.pool_account_known();
CREATE TRIGGER pool_account_held_first AFTER INSERT ON pooled_account FOR EACH ROW WHEN (new.bybit_uid IS NOT NULL)
  EXECUTE FUNCTION app.pool_account_known();
CREATE TRIGGER pooled_account_added AFTER INSERT ON pooled_account FOR EACH ROW EXECUTE FUNCTION app.pool_added();
CREATE TRIGGER pooled_account_connected BEFORE INSERT ON pooled_account FOR EACH ROW WHEN (app.is_application())
  EXECUTE FUNCTION app.connect_unapproved();
CREATE TRIGGER pooled_account_written AFTER INSERT OR UPDATE ON pooled_account FOR EACH ROW
  EXECUTE FUNCTION app.pool_written();
