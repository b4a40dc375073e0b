-- Written by `npm run generate` from a migrated database. Do not edit.

-- Requests of members to withdraw. They are paid while the pool is open.
CREATE TABLE pool_withdrawal (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  pooled_account_id uuid NOT NULL,
  member_id uuid NOT NULL,
  -- NULL: everything that the member has when it is reserved.
  amount_units numeric(38,0),
  state text NOT NULL DEFAULT 'queued',
  reserved_units numeric(38,0),
  -- Reservations so far; each has its own source in the ledger.
  attempt integer NOT NULL DEFAULT 0,
  to_address text,
  transfer_id uuid,
  cycle_id uuid,
  waits_because text,
  refusal text,
  available_units numeric(38,0),
  -- Of the caller: the same request is stored once.
  request_key text,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  -- The order that allows it. NULL: a program asked, or it is older than orders; an operator confirms it.
  order_id uuid,
  -- The request for everything that it goes on with, once the parts before it are reserved. NULL: it is a request
  -- itself.
  part_of uuid,
  CONSTRAINT pool_withdrawal_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT pool_withdrawal_check
    CHECK ((state = ANY (ARRAY['reserved', 'paying', 'paid'])) = (reserved_units IS NOT NULL)),
  CONSTRAINT pool_withdrawal_check1 CHECK ((state = ANY (ARRAY['paying', 'paid'])) = (transfer_id IS NOT NULL)),
  CONSTRAINT pool_withdrawal_check2 CHECK ((state = 'refused') = (refusal IS NOT NULL)),
  CONSTRAINT pool_withdrawal_check3
    CHECK ((state = ANY (ARRAY['paid', 'refused', 'cancelled'])) = (ended_at IS NOT NULL)),
  CONSTRAINT pool_withdrawal_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT,
  CONSTRAINT pool_withdrawal_member_id_pooled_account_id_fkey FOREIGN KEY (member_id, pooled_account_id)
    REFERENCES pool_member(id, pooled_account_id) ON DELETE RESTRICT,
  CONSTRAINT pool_withdrawal_part_of_fkey FOREIGN KEY (part_of) REFERENCES pool_withdrawal(id) ON DELETE RESTRICT,
  CONSTRAINT pool_withdrawal_pkey PRIMARY KEY (id),
  CONSTRAINT pool_withdrawal_refusal_check CHECK (refusal ~ '^[a-z_]+$'),
  CONSTRAINT pool_withdrawal_request_key_check CHECK (btrim(request_key) <> ''),
  CONSTRAINT pool_withdrawal_request_key_key UNIQUE (request_key),
  CONSTRAINT pool_withdrawal_reserved_units_check CHECK (reserved_units > 0::numeric),
  CONSTRAINT pool_withdrawal_state_check
    CHECK (state = ANY (ARRAY['queued', 'reserved', 'paying', 'paid', 'refused', 'cancelled'])),
  CONSTRAINT pool_withdrawal_to_address_check CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT pool_withdrawal_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE RESTRICT,
  CONSTRAINT pool_withdrawal_waits_because_check CHECK (waits_because ~ '^[a-z_]+$')
);

CREATE INDEX pool_withdrawal_by_member ON pool_withdrawal (member_id, created_at DESC);
CREATE INDEX pool_withdrawal_by_pool ON pool_withdrawal (pooled_account_id, created_at DESC, id);
CREATE INDEX pool_withdrawal_by_transfer ON pool_withdrawal (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE INDEX pool_withdrawal_open ON pool_withdrawal (pooled_account_id, state, created_at)
  WHERE state = ANY (ARRAY['queued', 'reserved', 'paying']);
CREATE INDEX pool_withdrawal_parts ON pool_withdrawal (part_of) WHERE part_of IS NOT NULL;
CREATE INDEX pool_withdrawal_under_way ON pool_withdrawal (transfer_id) WHERE state = 'paying';

ALTER TABLE pool_withdrawal ENABLE ROW LEVEL SECURITY;
ALTER TABLE pool_withdrawal FORCE ROW LEVEL SECURITY;
CREATE POLICY pool_withdrawal_scope ON pool_withdrawal FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM pool_member m WHERE m.id = pool_withdrawal.member_id)))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER withdrawal_ordered AFTER INSERT OR UPDATE OF order_id ON pool_withdrawal FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
