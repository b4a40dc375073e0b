-- Sums of payouts depend on which shares a payout pays, for whom, and on their amounts. Noting how a share is collected,
-- or that it was paid, changes none of that: of an order of thousands, a fourth of the time went into adding up again.
CREATE OR REPLACE FUNCTION app.payables_written() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT sweep_operation_id) INTO touched FROM added WHERE sweep_operation_id IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT sweep_operation_id) INTO touched FROM taken WHERE sweep_operation_id IS NOT NULL;
  ELSE
    SELECT array_agg(DISTINCT side.sweep_operation_id) INTO touched
    FROM added a JOIN taken t ON t.id = a.id
    CROSS JOIN LATERAL (VALUES (a.sweep_operation_id), (t.sweep_operation_id)) side (sweep_operation_id)
    WHERE side.sweep_operation_id IS NOT NULL
      AND (a.sweep_operation_id, a.provider_id, a.amount_units)
        IS DISTINCT FROM (t.sweep_operation_id, t.provider_id, t.amount_units);
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.sweeps_touched(touched);
  END IF;
  RETURN NULL;
END
$$;
