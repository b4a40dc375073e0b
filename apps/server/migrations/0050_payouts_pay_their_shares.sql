-- A transfer to a recipient pays exactly the shares of its payout, to the address that was frozen with it. A rule that
-- was forgotten in code stops here, before anything is signed.

CREATE FUNCTION app.check_payment_intents() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  wrong uuid;
BEGIN
  SELECT i.payout_id INTO wrong
  FROM added i JOIN payout o ON o.id = i.payout_id
  WHERE i.kind = 'distribute' AND (
    lower(i.to_address) <> lower(o.recipient_address) OR i.amount_units <> o.amount_units
    OR i.amount_units <> (SELECT coalesce(sum(y.amount_units), 0) FROM payable y WHERE y.payout_id = o.id))
  LIMIT 1;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'a transfer does not pay the shares of payout %', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER transfer_pays_its_shares AFTER INSERT ON transfer
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.check_payment_intents();
