-- The days of now become the first partition of equity_snapshot: up to the month after the next, so that the version
-- before goes on writing until then. Checked in the next migration, under a lock that stops nobody.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE equity_snapshot ADD CONSTRAINT equity_snapshot_until CHECK (day < %L) NOT VALID',
    (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months')::date);
END
$$;
