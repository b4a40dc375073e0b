-- Acts that move or give up money and take two people: one orders, another decides.

CREATE TABLE money_order (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  act text NOT NULL
    CHECK (act IN ('pool_withdrawals', 'pool_return', 'pool_funding_address', 'pool_connection',
    'invoices_paid_off_platform', 'invoices_archived', 'invoices_recalled', 'sale_cancelled', 'sale_discounted',
    'credit_tipped', 'credit_returned')),
  state text NOT NULL CHECK (state IN ('awaiting_approval', 'approved', 'declined', 'void')),
  needs text[] NOT NULL,
  community_id uuid REFERENCES community ON DELETE RESTRICT,
  pooled_account_id uuid,
  amount_units numeric(38,0) NOT NULL CHECK (amount_units >= 0),
  facts jsonb NOT NULL CHECK (jsonb_typeof(facts) = 'object'),
  requested_at timestamptz NOT NULL DEFAULT now(),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  decided_at timestamptz,
  decided_by_id text,
  decided_by text,
  CONSTRAINT money_order_by_two
    CHECK (cardinality(needs) > 0 OR (act <> ALL (ARRAY['pool_funding_address', 'pool_connection']))),
  CONSTRAINT money_order_decision
    CHECK ((decided_at IS NULL) = (decided_by_id IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL)),
  CONSTRAINT money_order_declined CHECK (state <> 'declined' OR decided_at IS NOT NULL),
  CONSTRAINT money_order_four_eyes CHECK (state <> 'approved' OR (cardinality(needs) = 0) = (decided_by_id IS NULL)),
  CONSTRAINT money_order_other_person CHECK (state = 'declined' OR decided_by_id <> requested_by_id),
  CONSTRAINT money_order_undecided CHECK (state <> 'awaiting_approval' OR decided_at IS NULL)
);
COMMENT ON TABLE money_order IS
  'Acts that people order and that may need another person: who, for whom, how much. Its lines say where to.';
COMMENT ON COLUMN money_order.needs IS 'Why it needs another person; empty: it needs none.';
COMMENT ON COLUMN money_order.pooled_account_id IS 'A declined connection leaves its order, and no pool.';
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
-- The list of all orders, newest first, reads a page of it. The other indexes have orders of one place or one state.
CREATE INDEX money_order_newest ON money_order (requested_at DESC, id DESC);

ALTER TABLE money_order ENABLE ROW LEVEL SECURITY;
ALTER TABLE money_order FORCE ROW LEVEL SECURITY;
CREATE POLICY money_order_scope ON money_order FOR ALL
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
-- Consoles that show a pool read what waits for it again.
CREATE TRIGGER money_order_of_pool AFTER INSERT OR UPDATE ON money_order FOR EACH ROW
  WHEN (NEW.pooled_account_id IS NOT NULL) EXECUTE FUNCTION app.pool_written();

-- Deferred: the lines come after their order. Concurrent orders of a person wait for each other, and see each other then.
CREATE FUNCTION app.refuse_write_off_order() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT app.sees_all() OR current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'write-offs are ordered with the whole scope' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('copydesk.write-offs ' || NEW.requested_by_id, 0));
  IF NOT EXISTS (SELECT FROM identity.user_access a
      WHERE a.user_id::text = NEW.requested_by_id AND a.super AND a.disabled_at IS NULL)
    OR NEW.amount_units <> (SELECT coalesce(sum(l.amount_units), 0) FROM money_order_line l WHERE l.order_id = NEW.id)
    OR (SELECT w.units FROM app.written_off_lately() w WHERE w.by_id = NEW.requested_by_id) > app.write_off_limit() THEN
    RAISE EXCEPTION 'what one super admin writes off within a day is below the limit'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER write_off_ordered AFTER INSERT ON money_order DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.state = 'approved' AND app.is_write_off(NEW.act) AND app.is_api())
  EXECUTE FUNCTION app.refuse_write_off_order();
CREATE TRIGGER no_worker_approves BEFORE INSERT OR UPDATE OF state, decided_by_id ON money_order
  FOR EACH ROW WHEN (NEW.state = 'approved' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
-- On the worker's machine an operator takes the place of the missing person.
CREATE TRIGGER money_order_approved BEFORE UPDATE OF state, decided_by_id ON money_order
  FOR EACH ROW WHEN (NEW.state = 'approved' AND NOT (app.is_operator() AND NEW.decided_by_id = 'operator'))
  EXECUTE FUNCTION app.refuse_dependent_approval();

CREATE FUNCTION app.announce_decided_order() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM app.announce_order(ARRAY[NEW.id]);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER order_decided_announced AFTER UPDATE OF state ON money_order FOR EACH ROW
  WHEN (OLD.state = 'awaiting_approval' AND NEW.state <> 'awaiting_approval' AND NEW.pooled_account_id IS NULL)
  EXECUTE FUNCTION app.announce_decided_order();

REVOKE UPDATE, DELETE ON money_order FROM copydesk_app;
GRANT UPDATE (state, decided_at, decided_by_id, decided_by) ON money_order TO copydesk_app;

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

ALTER TABLE money_order_line ENABLE ROW LEVEL SECURITY;
ALTER TABLE money_order_line FORCE ROW LEVEL SECURITY;
CREATE POLICY money_order_line_scope ON money_order_line FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

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

CREATE FUNCTION app.announce_waiting_order() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM app.announce_order(array_agg(DISTINCT o.id))
  FROM added l JOIN money_order o ON o.id = l.order_id
  WHERE o.state = 'awaiting_approval' AND o.pooled_account_id IS NULL;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER order_waits_announced AFTER INSERT ON money_order_line REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_waiting_order();

REVOKE UPDATE, DELETE ON money_order_line FROM copydesk_app;

ALTER TABLE credit_return ADD CONSTRAINT credit_return_order_id_fkey FOREIGN KEY (order_id)
  REFERENCES money_order(id) ON DELETE RESTRICT;

-- A discount is given up whatever becomes of the rest, which counts beside it.
CREATE FUNCTION app.written_off_lately() RETURNS TABLE (by_id text, units numeric)
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT w.by_id, sum(w.units) FROM (
    SELECT o.requested_by_id AS by_id, max(l.amount_units) AS units
    FROM money_order o JOIN money_order_line l ON l.order_id = o.id JOIN invoice i ON i.id = l.subject_id
    WHERE app.is_write_off(o.act) AND o.state = 'approved' AND o.amount_units > 0
      AND o.requested_at > now() - interval '24 hours'
      -- What is ordered in this transaction counts before it is done.
      AND (i.status = 'cancelled' OR i.settled_by = 'manual' OR (i.status = 'pending' AND i.is_archived)
        OR o.act = 'sale_discounted' OR o.requested_at = now())
    GROUP BY o.requested_by_id, l.subject_id, o.act = 'sale_discounted') w
  GROUP BY w.by_id;
END;
COMMENT ON FUNCTION app.written_off_lately() IS
  'What each person wrote off within 24 hours, base units. What was restored since does not count.';
GRANT EXECUTE ON FUNCTION app.written_off_lately() TO copydesk_app;

-- Wallet, recipient and amount follow from the order and from its trader. It is called when the order is approved, and
-- an order sends once.
CREATE FUNCTION app.order_credit_return(of_chain integer, token text, new_id uuid, ordered uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  credit record;
BEGIN
  SELECT p.id, p.trader_id, l.amount_units AS units, l.to_address AS recipient INTO credit
  FROM money_order o JOIN money_order_line l ON l.order_id = o.id JOIN payment p ON p.id = l.subject_id
  WHERE o.id = ordered AND o.act = 'credit_returned' AND o.state = 'approved'
    AND greatest(o.requested_at, o.decided_at) = now() AND p.open_units = l.amount_units
  FOR NO KEY UPDATE OF p;
  INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
  SELECT new_id, 'credit_return', w.id, t.community_id, t.external_wallet_address, token, credit.units
  FROM trader t JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'deposit' AND w.owner_id = t.id
  WHERE t.id = credit.trader_id AND lower(t.external_wallet_address) = lower(credit.recipient);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'credit is sent back by an order of all of it, to the address of its trader'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  INSERT INTO credit_return (transfer_id, payment_id, order_id, amount_units)
  VALUES (new_id, credit.id, ordered, credit.units);
  UPDATE payment SET open_units = open_units - credit.units WHERE id = credit.id;
END
$$;
COMMENT ON FUNCTION app.order_credit_return(integer, text, uuid, uuid) IS
  'Orders that credit is sent back to the present address of its trader, as an order says that was approved now.';
GRANT EXECUTE ON FUNCTION app.order_credit_return(integer, text, uuid, uuid) TO copydesk_app;

-- What waits for another super admin says so in lists of invoices, sales and payments: it is announced to those who see
-- orders, the super admins, when it begins to wait and when it ends. Orders of pools are announced as their pools.
CREATE FUNCTION app.announce_order(orders uuid[]) RETURNS void
  LANGUAGE sql
  SET search_path = public, pg_temp AS $$
  -- One event for many subjects of a trader, as for many invoices.
  INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
  SELECT CASE WHEN i.id IS NULL THEN 'payment' ELSE 'invoice' END, CASE WHEN count(*) = 1 THEN (array_agg(l.subject_id))[1] END,
    coalesce(i.trader_id, p.trader_id), '{}'
  FROM money_order_line l LEFT JOIN invoice i ON i.id = l.subject_id LEFT JOIN payment p ON p.id = l.subject_id
  WHERE l.order_id = ANY (orders) AND coalesce(i.trader_id, p.trader_id) IS NOT NULL
  GROUP BY (i.id IS NULL), coalesce(i.trader_id, p.trader_id)
$$;

CREATE FUNCTION app.recall_refusal(i invoice) RETURNS text
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT CASE
    WHEN (i).invoice_type <> 'regular' OR (i).harvest_cycle_id IS NOT NULL THEN 'other_kind'
    WHEN (i).status = 'cancelled' THEN 'cancelled'
    WHEN (i).status = 'paid' OR (i).paid_units > 0 OR (i).off_platform_units > 0 THEN 'paid'
    WHEN (i).is_archived THEN 'archived'
    WHEN NOT EXISTS (SELECT FROM closed_position p WHERE p.invoice_id = (i).id) THEN 'imported'
    -- What was corrected is deducted, or decided to be left, by this invoice.
    WHEN EXISTS (SELECT FROM closed_position p WHERE p.invoice_id = (i).id
        AND (p.corrected_pnl IS NOT NULL OR p.double_of IS NOT NULL
          OR EXISTS (SELECT FROM closed_position d WHERE d.double_of = p.id)))
      OR EXISTS (SELECT FROM invoice_deduction d WHERE d.invoice_id = (i).id) THEN 'corrected'
    WHEN EXISTS (SELECT FROM app.on_its_way(ARRAY[(i).trader_id])) THEN 'payment_on_its_way'
  END;
END;
COMMENT ON FUNCTION app.recall_refusal(invoice) IS
  'Why an invoice is not recalled; NULL: it can be. RECALL_REFUSALS in the domain package has the same reasons.';
GRANT EXECUTE ON FUNCTION app.recall_refusal(invoice) TO copydesk_app;

CREATE FUNCTION app.recall_invoices(recalled uuid[]) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  freed integer;
BEGIN
  PERFORM FROM invoice i WHERE i.id = ANY (recalled) ORDER BY i.id FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM invoice i WHERE i.id = ANY (recalled) AND app.recall_refusal(i) IS NULL AND EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = i.id AND l.amount_units >= i.amount_units AND o.act = 'invoices_recalled'
        AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now()))
    <> cardinality(recalled) THEN
    RAISE EXCEPTION 'an unpaid invoice is recalled by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  INSERT INTO recalled_position (invoice_id, position_id, provider_id, closed_pnl)
  SELECT p.invoice_id, p.id, p.provider_id, p.closed_pnl FROM closed_position p WHERE p.invoice_id = ANY (recalled);
  UPDATE invoice i SET status = 'cancelled', recalled_at = now(), updated_at = now() WHERE i.id = ANY (recalled);
  UPDATE closed_position p SET invoice_id = NULL WHERE p.invoice_id = ANY (recalled);
  GET DIAGNOSTICS freed = ROW_COUNT;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN freed;
END
$$;
COMMENT ON FUNCTION app.recall_invoices(uuid[]) IS
  'Recalls invoices in the transaction of the order of a person. Returns how many positions are due again.';
GRANT EXECUTE ON FUNCTION app.recall_invoices(uuid[]) TO copydesk_app;

CREATE FUNCTION app.audit_order_name(order_id uuid) RETURNS text
  LANGUAGE plpgsql STABLE
AS $$
DECLARE
  placed money_order;
  owner_name text;
  -- As amounts are written on screen: thousands, two places, and up to six.
  amount text;
  -- Lines are numbered from 1: counting those of a large order would read all of them.
  invoices text;
BEGIN
  SELECT * INTO placed FROM money_order o WHERE o.id = audit_order_name.order_id;
  IF placed.id IS NULL THEN RETURN NULL; END IF;
  SELECT ' of ' || c.name INTO owner_name FROM community c WHERE c.id = placed.community_id;
  owner_name := coalesce(owner_name, '');
  amount := to_char(placed.amount_units / 1e18, 'FM999,999,999,999,990.009999') || ' USDT';
  IF app.is_write_off(placed.act) THEN
    SELECT CASE max(l.place) WHEN 1 THEN '1 invoice' ELSE to_char(max(l.place), 'FM999,990') || ' invoices' END
      INTO invoices FROM money_order_line l WHERE l.order_id = placed.id;
  END IF;
  RETURN CASE placed.act
    WHEN 'pool_withdrawals' THEN format('a withdrawal of %s from the pool%s', amount, owner_name)
    WHEN 'pool_return' THEN format('the return of a deposit of %s from the pool%s', amount, owner_name)
    WHEN 'pool_funding_address' THEN format('a funding address of the pool%s', owner_name)
    WHEN 'pool_connection' THEN format('connecting the pool%s', owner_name)
    WHEN 'invoices_paid_off_platform' THEN format('marking %s%s as paid off-platform, %s unpaid',
      invoices, owner_name, amount)
    WHEN 'invoices_archived' THEN format('archiving %s%s, %s unpaid', invoices, owner_name, amount)
    WHEN 'invoices_recalled' THEN format('recalling %s%s, %s', invoices, owner_name, amount)
    WHEN 'sale_cancelled' THEN format('cancelling an order with the bot%s, %s unpaid', owner_name, amount)
    WHEN 'sale_discounted' THEN format('a discount of %s on an order with the bot%s', amount, owner_name)
    WHEN 'credit_tipped' THEN format('turning %s of credit%s into a tip', amount, owner_name)
    WHEN 'credit_returned' THEN format('sending %s of credit%s back', amount, owner_name)
    ELSE replace(placed.act, '_', ' ') || ', ' || amount
  END;
END $$;
COMMENT ON FUNCTION app.audit_order_name IS 'What an order does, in words; NULL: there is no such order.';
GRANT EXECUTE ON FUNCTION app.audit_order_name(uuid) TO copydesk_app;

-- The order, distribution, withdrawal or decision that an entry is about: a worker signs only what sealed entries say was
-- ordered, and approved where that was needed.
CREATE FUNCTION app.audited_order(action text, after jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE split_part(action, '.', 1)
    WHEN 'distribution' THEN after ->> 'distribution_id'
    WHEN 'order' THEN after ->> 'order_id'
    WHEN 'pool' THEN coalesce(after ->> 'decision_id', after ->> 'withdrawal_id') END;
