-- Deductions are listed and ended by themselves: the difference that they follow from may be gone, because the exchange
-- took its correction back.
ALTER TABLE invoice_deduction ADD COLUMN ended_units numeric(38, 0), ADD COLUMN ended_at timestamptz,
  ADD COLUMN ended_by text, ADD COLUMN ended_by_id text;
COMMENT ON COLUMN invoice_deduction.ended_units IS
  'The unused part that a super admin ended; NULL: none. It may be deducted again where the exchange corrects again.';

CREATE OR REPLACE FUNCTION app.deduction_left(deduction invoice_deduction) RETURNS numeric
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT (deduction).amount_units - coalesce((deduction).ended_units, 0) - coalesce(sum(u.amount_units), 0)
  FROM invoice_deduction_use u JOIN invoice i ON i.id = u.invoice_id
  -- A cancelled invoice gives it back.
  WHERE u.deduction_id = (deduction).id AND i.status <> 'cancelled';
END;

CREATE FUNCTION app.end_deduction(deduction uuid, by_id text, by_name text) RETURNS numeric
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  rest numeric;
BEGIN
  -- A run that invoices the trader holds its lock: it either used the deduction before, or finds none.
  PERFORM FROM trader t WHERE t.id = (SELECT d.trader_id FROM invoice_deduction d WHERE d.id = deduction)
    FOR NO KEY UPDATE;
  SELECT app.deduction_left(d) INTO rest FROM invoice_deduction d WHERE d.id = deduction;
  IF rest IS NULL OR rest <= 0 THEN RETURN 0; END IF;
  UPDATE invoice_deduction d SET ended_units = coalesce(d.ended_units, 0) + rest, ended_at = now(), ended_by = by_name,
    ended_by_id = by_id
  WHERE d.id = deduction;
  RETURN rest;
END
$$;
COMMENT ON FUNCTION app.end_deduction(uuid, text, text) IS
  'Ends what no invoice has used of a deduction, and returns it; 0: nothing was left.';
GRANT EXECUTE ON FUNCTION app.end_deduction(uuid, text, text) TO copydesk_app;

CREATE OR REPLACE FUNCTION app.refuse_deduction()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('copydesk.deduction ' || NEW.subject_id, 0));
  IF NEW.ended_units IS NOT NULL OR NOT EXISTS (
    SELECT FROM closed_position p JOIN invoice i ON i.id = p.invoice_id
    WHERE p.id = NEW.subject_id AND i.id = NEW.invoice_id AND NOT app.is_given_up(i)
      AND (NEW.trader_id, NEW.community_id, NEW.provider_id, NEW.commission_rate)
        = (i.trader_id, i.community_id, i.provider_id, i.commission_rate)
      AND NEW.amount_units + coalesce((SELECT sum(d.amount_units - coalesce(d.ended_units, 0)) FROM invoice_deduction d
          WHERE d.subject_id = p.id), 0)
        <= CASE NEW.kind WHEN 'corrected_close' THEN greatest(p.closed_pnl - p.corrected_pnl, 0)
            ELSE CASE WHEN p.double_of IS NOT NULL THEN p.closed_pnl END END
          * i.commission_rate * 1000000000000000000)
    OR NEW.amount_units <> (SELECT sum((part ->> 'units')::numeric) FROM jsonb_array_elements(NEW.split) part) THEN
    RAISE EXCEPTION 'a deduction is what an exchange corrected of an invoice' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

-- Whether a difference is decided as it is now, so that a list of the open ones does not read the decided ones.
ALTER TABLE closed_position ADD COLUMN is_correction_decided boolean NOT NULL DEFAULT false,
  ADD COLUMN is_double_decided boolean NOT NULL DEFAULT false;
ALTER TABLE account_reading ADD COLUMN is_unread_decided boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN closed_position.is_correction_decided IS
  'Whether a super admin decided the difference of corrected_pnl as it is. Kept by triggers.';
COMMENT ON COLUMN closed_position.is_double_decided IS 'The same of double_of.';
COMMENT ON COLUMN account_reading.is_unread_decided IS 'The same of unread_until.';

CREATE FUNCTION app.close_differs() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  NEW.is_correction_decided := EXISTS (SELECT FROM difference_decision x
    WHERE x.kind = 'corrected_close' AND x.subject_id = NEW.id AND x.seen = NEW.corrected_pnl::text);
  NEW.is_double_decided := EXISTS (SELECT FROM difference_decision x
    WHERE x.kind = 'doubled_close' AND x.subject_id = NEW.id AND x.seen = NEW.double_of::text);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$$;
CREATE TRIGGER close_differs BEFORE UPDATE OF corrected_pnl, double_of ON closed_position FOR EACH ROW
  WHEN (NEW.corrected_pnl IS DISTINCT FROM OLD.corrected_pnl OR NEW.double_of IS DISTINCT FROM OLD.double_of)
  EXECUTE FUNCTION app.close_differs();

CREATE FUNCTION app.unread_differs() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  NEW.is_unread_decided := EXISTS (SELECT FROM difference_decision x
    WHERE x.kind = 'unread_closes' AND x.subject_id = NEW.account_id AND x.seen = app.iso(NEW.unread_until));
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$$;
CREATE TRIGGER unread_differs BEFORE UPDATE OF unread_until ON account_reading FOR EACH ROW
  WHEN (NEW.unread_until IS DISTINCT FROM OLD.unread_until) EXECUTE FUNCTION app.unread_differs();

CREATE FUNCTION app.difference_decided() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  CASE NEW.kind
    WHEN 'corrected_close' THEN
      UPDATE closed_position SET is_correction_decided = true
      WHERE id = NEW.subject_id AND corrected_pnl::text = NEW.seen;
    WHEN 'doubled_close' THEN
      UPDATE closed_position SET is_double_decided = true WHERE id = NEW.subject_id AND double_of::text = NEW.seen;
    ELSE
      UPDATE account_reading SET is_unread_decided = true
      WHERE account_id = NEW.subject_id AND app.iso(unread_until) = NEW.seen;
  END CASE;
  RETURN NULL;
END
$$;
CREATE TRIGGER difference_decided AFTER INSERT ON difference_decision FOR EACH ROW
  EXECUTE FUNCTION app.difference_decided();

SET LOCAL copydesk.bulk = 'on';
UPDATE closed_position p SET is_correction_decided = true FROM difference_decision x
WHERE x.kind = 'corrected_close' AND x.subject_id = p.id AND x.seen = p.corrected_pnl::text;
UPDATE closed_position p SET is_double_decided = true FROM difference_decision x
WHERE x.kind = 'doubled_close' AND x.subject_id = p.id AND x.seen = p.double_of::text;
UPDATE account_reading r SET is_unread_decided = true FROM difference_decision x
WHERE x.kind = 'unread_closes' AND x.subject_id = r.account_id AND x.seen = app.iso(r.unread_until);
