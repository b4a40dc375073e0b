-- What one person writes off within a day has a limit: unpaid invoices marked as paid, archived or cancelled. Each of these
-- acts is an order, and the API's role cannot change the invoices without it.

-- A list of names: old rows have earlier ones, so nothing has to be read.
ALTER TABLE money_order DROP CONSTRAINT money_order_act_check,
  ADD CONSTRAINT money_order_act_check CHECK (act IN ('pool_withdrawals', 'pool_return', 'pool_funding_address',
    'pool_connection', 'invoices_paid_off_platform', 'invoices_archived', 'sale_cancelled')) NOT VALID;

CREATE FUNCTION app.is_write_off(act text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN act IN ('invoices_paid_off_platform', 'invoices_archived', 'sale_cancelled');
COMMENT ON FUNCTION app.is_write_off(text) IS
  'Whether an order gives up what was owed. WRITE_OFF_ACTS in the domain package has the same acts.';

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
        OR o.requested_at = now())
    GROUP BY o.requested_by_id, l.subject_id) w
  GROUP BY w.by_id;
END;
COMMENT ON FUNCTION app.written_off_lately() IS
  'What each person wrote off within 24 hours, base units. What was restored since does not count.';
GRANT EXECUTE ON FUNCTION app.is_write_off(text), app.written_off_lately() TO copydesk_app;

CREATE FUNCTION app.write_off_limit() RETURNS numeric
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT (coalesce(s.value, d.value, '1000'::jsonb) #>> '{}')::numeric * 1000000000000000000
  FROM (VALUES ('write_off_above_usdt')) n (name)
  LEFT JOIN platform_setting s ON s.name = n.name LEFT JOIN platform_setting_default d ON d.name = n.name;
END;
COMMENT ON FUNCTION app.write_off_limit() IS
  'What one person may write off within 24 hours, base units, as far as the database knows. NULL: any.';
GRANT EXECUTE ON FUNCTION app.write_off_limit() TO copydesk_app;

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

-- By statement: an act takes thousands of invoices. The order is made or approved in the same transaction.
CREATE FUNCTION app.refuse_write_off() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM added n JOIN taken e ON e.id = n.id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN e.status <> 'pending' THEN NULL
      WHEN n.status = 'cancelled' THEN 'sale_cancelled'
      WHEN n.status = 'paid' AND n.settled_by = 'manual' THEN 'invoices_paid_off_platform'
      WHEN n.is_archived AND NOT e.is_archived THEN 'invoices_archived' END AS act) w
    WHERE w.act IS NOT NULL AND NOT EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = n.id AND l.amount_units >= e.amount_units - e.paid_units
        AND o.act = w.act AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now()))
  THEN
    RAISE EXCEPTION 'what is unpaid is written off by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER invoices_written_off AFTER UPDATE ON invoice
  REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_write_off();


-- A higher limit takes two people, a lower one does not.
CREATE OR REPLACE FUNCTION app.setting_needs_second(setting text, previous jsonb, wanted jsonb) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE setting
    WHEN 'approval_above_usdt', 'write_off_above_usdt', 'payout_max_per_transaction', 'payout_max_per_day', 'chain_max_fee_gwei' THEN
      RETURN previous <> 'null' AND (wanted = 'null' OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'approver_min_hours', 'payout_address_hold_hours' THEN
      RETURN (wanted #>> '{}')::numeric < (previous #>> '{}')::numeric
        OR ((wanted #>> '{}')::numeric > (previous #>> '{}')::numeric AND (wanted #>> '{}')::numeric > 72);
    WHEN 'stop_after_set_aside' THEN
      -- Zero is the loosest.
      RETURN (previous #>> '{}')::numeric <> 0 AND ((wanted #>> '{}')::numeric = 0
        OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'egress_addresses' THEN
      RETURN NOT previous @> wanted;
    WHEN 'commission_rate', 'invoice_due_days', 'vip_tiers', 'community_plans' THEN
      RETURN false;
    ELSE
      RETURN true;
  END CASE;
END
$$;
