-- Whether an address is one of ours, or the token itself: nothing may be paid out there. Staff change payout addresses of
-- traders and see their own providers only, so the answer comes with the owner's rights, and is no more than yes or no.

CREATE FUNCTION app.is_platform_address(wanted text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
  found boolean;
BEGIN
  SELECT EXISTS (SELECT FROM trader WHERE lower(deposit_address) = lower(wanted) AND deposit_address IS NOT NULL)
    OR EXISTS (SELECT FROM community WHERE lower(internal_wallet_address) = lower(wanted))
    OR EXISTS (SELECT FROM pooled_account WHERE lower(proxy_address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_wallet WHERE lower(address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_cursor WHERE token_address = lower(wanted)) INTO found;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN found;
END
$$;
GRANT EXECUTE ON FUNCTION app.is_platform_address(text) TO copydesk_app;
