-- Of two changes of a rate at once, the one that holds in its row is the later one in its history, too: its transaction
-- may have begun before the other.
CREATE OR REPLACE FUNCTION app.community_rate_set()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO commission_rate (community_id, rate, in_force_from)
  VALUES (NEW.id, NEW.commission_rate, CASE TG_OP WHEN 'INSERT' THEN '-infinity'::timestamptz ELSE clock_timestamp() END)
  ON CONFLICT (community_id, in_force_from) WHERE community_id IS NOT NULL DO UPDATE SET rate = excluded.rate;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.provider_rate_set()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO commission_rate (provider_id, rate, in_force_from)
  VALUES (NEW.id, NEW.minimum_commission_rate, CASE TG_OP WHEN 'INSERT' THEN '-infinity'::timestamptz ELSE clock_timestamp() END)
  ON CONFLICT (provider_id, in_force_from) WHERE provider_id IS NOT NULL DO UPDATE SET rate = excluded.rate;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

-- Whoever owes nothing for an invoice was charged nothing by it.
CREATE FUNCTION app.is_given_up(i invoice) RETURNS boolean
  LANGUAGE sql IMMUTABLE
  RETURN i.is_archived AND i.status = 'pending' AND i.paid_units = 0;

CREATE OR REPLACE FUNCTION app.refuse_deduction()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('copydesk.deduction ' || NEW.subject_id, 0));
  IF NOT EXISTS (
    SELECT FROM closed_position p JOIN invoice i ON i.id = p.invoice_id
    WHERE p.id = NEW.subject_id AND i.id = NEW.invoice_id AND NOT app.is_given_up(i)
      AND (NEW.trader_id, NEW.community_id, NEW.provider_id, NEW.commission_rate)
        = (i.trader_id, i.community_id, i.provider_id, i.commission_rate)
      AND NEW.amount_units + coalesce((SELECT sum(d.amount_units) FROM invoice_deduction d
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
GRANT EXECUTE ON FUNCTION app.is_given_up(invoice) TO copydesk_app;
