-- What is promised stays promised while its transfer may still pay it: whoever could end the reservation of a withdrawal
-- that is being paid would have the same balance paid twice.

CREATE FUNCTION app.refuse_end_of_promise() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.journal_id IS NOT NULL OR EXISTS (
    SELECT FROM ledger_reservation r WHERE r.id = NEW.reservation_id AND CASE r.source_type
      WHEN 'pool_withdrawal' THEN NOT EXISTS (SELECT FROM pool_withdrawal w
        WHERE w.id = split_part(r.source_id, ':', 1)::uuid
          AND (w.state = 'reserved' OR w.attempt::text <> split_part(r.source_id, ':', 2)))
      WHEN 'payout' THEN EXISTS (SELECT FROM transfer i
        WHERE i.payout_id = r.source_id::uuid AND i.state IN ('sent', 'final'))
      WHEN 'transfer' THEN EXISTS (SELECT FROM transfer i
        WHERE i.id = r.source_id::uuid AND i.state IN ('planned', 'sent', 'final'))
      ELSE true END) THEN
    RAISE EXCEPTION 'what is being paid stays reserved' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER ledger_reservation_end_of_api BEFORE INSERT ON ledger_reservation_end FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_end_of_promise();
