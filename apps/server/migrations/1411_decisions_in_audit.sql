-- What one person decided about an order of another, by the action of its entry in the audit. An index rests on it, so a
-- longer list is a new function with an index of its own.

CREATE FUNCTION app.is_decision(action text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT action = ANY ('{distribution.approved,distribution.declined,order.approved,order.declined,setting.approved,setting.declined,payout_address.released,trader.referrer_released,pool.connection_approved,pool.arrival_decision_confirmed,harvest.approve_valuation,harvest.resolve,payments.lift_confirmed,payments.lift_refused,user.confirmed}'::text[])
$$;
GRANT EXECUTE ON FUNCTION app.is_decision(text) TO copydesk_app;
