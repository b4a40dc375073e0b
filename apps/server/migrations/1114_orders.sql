-- Orders: acts that move money and may need a second person. What was ordered is stored and never changes; an approval
-- binds exactly that.

CREATE TABLE money_order (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  act text NOT NULL
    CHECK (act IN ('pool_withdrawals', 'pool_return', 'pool_funding_address', 'pool_connection')),
  state text NOT NULL CHECK (state IN ('awaiting_approval', 'approved', 'declined', 'void')),
  needs text[] NOT NULL,
  community_id uuid REFERENCES community (id) ON DELETE RESTRICT,
  pooled_account_id uuid,
  amount_units numeric(38,0) NOT NULL CHECK (amount_units >= 0),
  facts jsonb NOT NULL CHECK (jsonb_typeof(facts) = 'object'),
  requested_at timestamptz NOT NULL DEFAULT now(),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  decided_at timestamptz,
  decided_by_id text,
  decided_by text,
  CONSTRAINT money_order_decision CHECK ((decided_at IS NULL) = (decided_by_id IS NULL)
    AND (decided_at IS NULL) = (decided_by IS NULL)),
  CONSTRAINT money_order_undecided CHECK (state <> 'awaiting_approval' OR decided_at IS NULL),
  CONSTRAINT money_order_declined CHECK (state <> 'declined' OR decided_at IS NOT NULL),
  CONSTRAINT money_order_four_eyes CHECK (state <> 'approved'
    OR (cardinality(needs) = 0) = (decided_by_id IS NULL)),
  CONSTRAINT money_order_other_person CHECK (state = 'declined' OR decided_by_id <> requested_by_id),
  CONSTRAINT money_order_by_two CHECK (cardinality(needs) > 0 OR act NOT IN ('pool_funding_address', 'pool_connection'))
);
COMMENT ON TABLE money_order IS
  'Acts that people order and that may need another person: who, for whom, how much. Its lines say where to.';
COMMENT ON COLUMN money_order.pooled_account_id IS 'A declined connection leaves its order, and no pool.';
COMMENT ON COLUMN money_order.needs IS 'Why it needs another person; empty: it needs none.';
COMMENT ON COLUMN money_order.facts IS 'What its author saw besides the lines. An approval reads it again.';
COMMENT ON COLUMN money_order.decided_by_id IS 'Who approved or declined it. NULL: nobody yet, or it needed no other person.';
-- What waits, for every screen; and the sums of the approval limit.
CREATE INDEX money_order_awaiting ON money_order (requested_at, id) WHERE state = 'awaiting_approval';
CREATE INDEX money_order_by_time ON money_order (requested_at) WHERE amount_units > 0 AND state <> 'declined';
CREATE INDEX money_order_by_community ON money_order (community_id, requested_at DESC);
CREATE INDEX money_order_by_pool ON money_order (pooled_account_id, requested_at DESC);

-- A pool has one waiting address and one waiting connection: an approval would otherwise depend on which came last.
CREATE UNIQUE INDEX money_order_once ON money_order (pooled_account_id, act)
  WHERE state = 'awaiting_approval' AND act IN ('pool_funding_address', 'pool_connection');

CREATE TABLE money_order_line (
  order_id uuid NOT NULL REFERENCES money_order (id) ON DELETE CASCADE,
  place integer NOT NULL,
  subject_id uuid NOT NULL,
  label text NOT NULL,
  to_address text CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount_units numeric(38,0) CHECK (amount_units > 0),
  PRIMARY KEY (order_id, place),
  UNIQUE (subject_id, order_id)
);
COMMENT ON TABLE money_order_line IS 'What an order does: a request, a deposit or a pool, where to, and how much.';
COMMENT ON COLUMN money_order_line.amount_units IS 'NULL: everything that a member has when the pool opens, or no amount.';

ALTER TABLE money_order ENABLE ROW LEVEL SECURITY;
ALTER TABLE money_order FORCE ROW LEVEL SECURITY;
CREATE POLICY money_order_scope ON money_order FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));
ALTER TABLE money_order_line ENABLE ROW LEVEL SECURITY;
ALTER TABLE money_order_line FORCE ROW LEVEL SECURITY;
CREATE POLICY money_order_line_scope ON money_order_line FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

-- The time of an order is that of the database: an earlier one would escape the sums of a day.
CREATE FUNCTION app.new_order_waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.requested_at := now();
  IF (NEW.state = 'approved') <> (cardinality(NEW.needs) = 0) OR NEW.state NOT IN ('approved', 'awaiting_approval')
    OR NEW.decided_at IS NOT NULL THEN
    RAISE EXCEPTION 'an order that needs another person waits for one' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER money_order_made BEFORE INSERT ON money_order FOR EACH ROW
  WHEN (app.is_application()) EXECUTE FUNCTION app.new_order_waits();

-- Lines come with their order: one that is added later would be approved with it.
CREATE FUNCTION app.refuse_later_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM money_order o WHERE o.id = NEW.order_id AND o.requested_at = now()) THEN
    RAISE EXCEPTION 'the order % is made already', NEW.order_id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER money_order_line_made BEFORE INSERT ON money_order_line FOR EACH ROW
  WHEN (app.is_application()) EXECUTE FUNCTION app.refuse_later_line();

CREATE FUNCTION app.decided_order_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (OLD.state = 'awaiting_approval' OR OLD.state = 'approved' AND NEW.state = 'void') THEN
    RAISE EXCEPTION 'the order % is %', OLD.id, OLD.state USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER money_order_decided BEFORE UPDATE OF state, decided_at, decided_by_id, decided_by ON money_order
  FOR EACH ROW EXECUTE FUNCTION app.decided_order_stays();
-- On the worker's machine an operator takes the place of the missing person.
CREATE TRIGGER money_order_approved BEFORE UPDATE OF state, decided_by_id ON money_order FOR EACH ROW
  WHEN (NEW.state = 'approved' AND NOT (current_user = 'copydesk_worker'::name AND NEW.decided_by_id = 'operator'))
  EXECUTE FUNCTION app.refuse_dependent_approval();

REVOKE UPDATE, DELETE ON money_order, money_order_line FROM copydesk_app;
GRANT UPDATE (state, decided_at, decided_by_id, decided_by) ON money_order TO copydesk_app;

-- NULL: a program asked, and no person has ordered it.
ALTER TABLE pool_withdrawal ADD COLUMN order_id uuid;
COMMENT ON COLUMN pool_withdrawal.order_id IS
  'The order that allows it. NULL: a program asked, or it is older than orders; an operator confirms it.';
GRANT UPDATE (order_id) ON pool_withdrawal TO copydesk_app;
ALTER TABLE pool_deposit ADD COLUMN return_order_id uuid;
COMMENT ON COLUMN pool_deposit.return_order_id IS
  'The order to return it. While that one waits, the deposit is not collected.';
GRANT UPDATE (return_order_id) ON pool_deposit TO copydesk_app;
ALTER TABLE pooled_account ADD COLUMN is_approved boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN pooled_account.is_approved IS
  'Another super admin approved its connection, or the owner of the database set it up. Before, it takes part in nothing.';
ALTER TABLE pooled_account ADD CONSTRAINT pooled_account_active_approved CHECK (is_approved OR NOT is_active) NOT VALID;

-- The address that funding goes to follows from an order that another person approved. The owner of the database sets it
-- directly: seeds and imports.
CREATE FUNCTION app.set_funding_address(approved_order uuid, hold_hours integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  changed boolean;
BEGIN
  UPDATE pooled_account p SET bybit_deposit_address = l.to_address, bybit_deposit_address_by = o.requested_by,
    bybit_deposit_address_from = o.decided_at
      + CASE WHEN o.act = 'pool_connection' THEN interval '0' ELSE make_interval(hours => greatest(hold_hours, 24)) END
  FROM money_order o JOIN money_order_line l ON l.order_id = o.id
  WHERE o.id = approved_order AND o.act IN ('pool_funding_address', 'pool_connection') AND o.state = 'approved'
    AND o.decided_by_id <> o.requested_by_id AND l.subject_id = p.id AND p.id = o.pooled_account_id
    AND l.to_address IS NOT NULL AND o.decided_at > now() - interval '1 hour';
  changed := FOUND;
  RETURN changed;
END
$$;
COMMENT ON FUNCTION app.set_funding_address(uuid, integer) IS
  'Sets the address that funding goes to, as an order says that two people made within the hour. One that was read at the account when it was connected is usable at once.';
GRANT EXECUTE ON FUNCTION app.set_funding_address(uuid, integer) TO copydesk_app;
-- compatible: an API of the version before cannot connect a pool or change its address until it is restarted
REVOKE INSERT, UPDATE ON pooled_account FROM copydesk_app;
GRANT INSERT (id, community_id, minimum_deposit_units, fee_basis, has_bot, is_active, bybit_uid, bybit_address_read,
    bybit_address_read_at),
  UPDATE (minimum_deposit_units, fee_basis, is_active, has_bot, max_drawdown_percentage, breaker_raises,
    breaker_raised_by, breaker_raised_from, bybit_address_read, bybit_address_read_at, positions_read_until, updated_at)
  ON pooled_account TO copydesk_app;
GRANT UPDATE (proxy_address) ON pooled_account TO copydesk_worker;

-- Whoever connects a pool cannot approve it: that takes an order of two people.
CREATE FUNCTION app.connect_unapproved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_approved := false;
  NEW.is_active := false;
  RETURN NEW;
END
$$;
CREATE TRIGGER pooled_account_connected BEFORE INSERT ON pooled_account FOR EACH ROW
  WHEN (app.is_application())
  EXECUTE FUNCTION app.connect_unapproved();

CREATE FUNCTION app.approve_pool(approved_order uuid) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE pooled_account p SET is_approved = true, is_active = true, updated_at = now()
  FROM money_order o
  WHERE o.id = approved_order AND o.act = 'pool_connection' AND o.state = 'approved'
    AND o.decided_by_id <> o.requested_by_id AND p.id = o.pooled_account_id AND NOT p.is_approved;
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION app.approve_pool(uuid) IS 'A pool takes part from now on, as two people ordered.';

-- Sums of pools are kept by triggers, and nobody else may delete them.
CREATE FUNCTION app.drop_unapproved_pool(pool uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM 1 FROM pooled_account p WHERE p.id = pool AND NOT p.is_approved FOR UPDATE;
  IF FOUND THEN
    DELETE FROM pool_key WHERE pooled_account_id = pool;
    -- What was read of the account, in case somebody tried to start it.
    DELETE FROM pool_evidence e USING harvest_cycle h WHERE h.id = e.cycle_id AND h.pooled_account_id = pool;
    DELETE FROM pool_movement WHERE pooled_account_id = pool;
    DELETE FROM pool_position WHERE pooled_account_id = pool;
    DELETE FROM pool_exchange_read WHERE pooled_account_id = pool;
    DELETE FROM harvest_cycle WHERE pooled_account_id = pool;
    DELETE FROM pool_sum WHERE pooled_account_id = pool;
    DELETE FROM pooled_account WHERE id = pool;
  END IF;
END
$$;
COMMENT ON FUNCTION app.drop_unapproved_pool(uuid) IS
  'Removes a pool whose connection nobody approved. It has had neither members nor money.';
GRANT EXECUTE ON FUNCTION app.approve_pool(uuid), app.drop_unapproved_pool(uuid) TO copydesk_app;

-- Consoles that show a pool read what waits for it again.
CREATE TRIGGER money_order_of_pool AFTER INSERT OR UPDATE ON money_order FOR EACH ROW
  WHEN (NEW.pooled_account_id IS NOT NULL) EXECUTE FUNCTION app.pool_written();
