-- Written by `npm run generate` from a migrated database. Do not edit.

-- Transfers from a proxy wallet to the exchange, one for each attempt of a stop.
CREATE TABLE harvest_funding (
  cycle_id uuid NOT NULL,
  attempt integer NOT NULL,
  -- 0: everything stays in the proxy wallet.
  units numeric(38,0) NOT NULL,
  to_address text,
  transfer_id uuid,
  state text NOT NULL DEFAULT 'planned',
  credited_units numeric(38,0) NOT NULL DEFAULT 0,
  -- Id of the move to the trading wallet of the exchange, stored before the call: a repeat never moves twice.
  move_id uuid NOT NULL DEFAULT gen_random_uuid(),
  is_moved boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Ids of moves that the exchange lists as failed. The present id replaced the last of them before it was used.
  failed_move_ids uuid[] NOT NULL DEFAULT '{}'::uuid[],
  CONSTRAINT harvest_funding_attempt_check CHECK (attempt > 0),
  CONSTRAINT harvest_funding_check CHECK ((transfer_id IS NULL) = (state = 'planned')),
  CONSTRAINT harvest_funding_credited_units_check CHECK (credited_units >= 0::numeric),
  CONSTRAINT harvest_funding_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES harvest_cycle(id) ON DELETE RESTRICT,
  CONSTRAINT harvest_funding_pkey PRIMARY KEY (cycle_id, attempt),
  CONSTRAINT harvest_funding_state_check
    CHECK (state = ANY (ARRAY['planned', 'ordered', 'sent', 'reverted', 'bounced', 'lost', 'credited'])),
  CONSTRAINT harvest_funding_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE RESTRICT,
  CONSTRAINT harvest_funding_transfer_id_key UNIQUE (transfer_id),
  CONSTRAINT harvest_funding_units_check CHECK (units >= 0::numeric)
);

ALTER TABLE harvest_funding ENABLE ROW LEVEL SECURITY;
ALTER TABLE harvest_funding FORCE ROW LEVEL SECURITY;
CREATE POLICY harvest_funding_scope ON harvest_funding FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER harvest_funding_given_up BEFORE UPDATE OF state ON harvest_funding FOR EACH ROW WHEN (app.is_api())
  EXECUTE FUNCTION app.refuse_funding_state();
