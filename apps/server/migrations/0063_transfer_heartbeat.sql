-- When a worker last looked after the payouts of a chain, and what keeps all of them from going on. A payout that waits
-- shows this reason when it has none of its own. The clock is the database's: workers need not agree on the time.

CREATE TABLE transfer_heartbeat (
  chain_id integer PRIMARY KEY,
  looked_at timestamptz NOT NULL DEFAULT now(),
  halted_because text CHECK (halted_because IN ('chain_silent', 'fees_too_high', 'turn_failed')),
  halted_at timestamptz,
  CHECK ((halted_because IS NULL) = (halted_at IS NULL))
);
ALTER TABLE transfer_heartbeat ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_heartbeat FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_heartbeat_scope ON transfer_heartbeat USING ((SELECT app.sees_all()));
REVOKE DELETE, TRUNCATE ON transfer_heartbeat FROM copydesk_app;
