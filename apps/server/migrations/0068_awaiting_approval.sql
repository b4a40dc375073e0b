-- Staff see payouts but not distributions. Whether a payout still needs another super admin's approval is shown to everyone
-- who sees the payout, so this function reads past row-level security. It returns ids only. `ROWS 1`: few distributions wait at any
-- time, and a plan that expects a thousand would read every share.

CREATE FUNCTION app.distributions_awaiting() RETURNS SETOF uuid
  LANGUAGE plpgsql SECURITY DEFINER ROWS 1
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  RETURN QUERY SELECT id FROM distribution WHERE state = 'awaiting_approval';
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;
REVOKE EXECUTE ON FUNCTION app.distributions_awaiting FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.distributions_awaiting TO copydesk_app;
