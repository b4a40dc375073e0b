-- Written by `npm run generate` from a migrated database. Do not edit.

-- One walk over the traders with something to invoice, in the order of their ids. A worker with the lease creates a
-- batch and moves the mark in one transaction; the version fences off a worker that lost the lease.
CREATE TABLE invoicing_run (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The run covers one trader, one community (community_id), or everything.
  trader_id uuid,
  community_id uuid,
  state text NOT NULL DEFAULT 'running',
  version bigint NOT NULL DEFAULT 1,
  leased_until timestamptz,
  -- The last trader that is done.
  after_trader_id uuid,
  traders integer NOT NULL DEFAULT 0,
  positions integer NOT NULL DEFAULT 0,
  invoices integer NOT NULL DEFAULT 0,
  amount_units numeric(38,0) NOT NULL DEFAULT 0,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  -- Of a run that was prepared as a draft: it invoices what was stored until then. NULL: it was sent at once.
  drafted_at timestamptz,
  sent_by text,
  -- Its lines by outcome, as excluded, carried and left_out.
  to_invoice integer NOT NULL DEFAULT 0,
  excluded integer NOT NULL DEFAULT 0,
  excluded_units numeric(38,0) NOT NULL DEFAULT 0,
  carried integer NOT NULL DEFAULT 0,
  carried_units numeric(38,0) NOT NULL DEFAULT 0,
  left_out integer NOT NULL DEFAULT 0,
  CONSTRAINT invoicing_run_check CHECK (num_nonnulls(trader_id, community_id) < 2),
  CONSTRAINT invoicing_run_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE CASCADE,
  CONSTRAINT invoicing_run_finished CHECK ((state = ANY (ARRAY['done', 'discarded'])) = (finished_at IS NOT NULL)),
  CONSTRAINT invoicing_run_pkey PRIMARY KEY (id),
  CONSTRAINT invoicing_run_state_check
    CHECK (state = ANY (ARRAY['preparing', 'draft', 'running', 'sending', 'done', 'discarded'])),
  CONSTRAINT invoicing_run_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id) ON DELETE CASCADE
);

CREATE INDEX invoicing_run_by_created ON invoicing_run (created_at DESC, id);
CREATE INDEX invoicing_run_drafted ON invoicing_run (drafted_at) WHERE state = 'draft';
CREATE UNIQUE INDEX invoicing_run_under_way ON invoicing_run (COALESCE(trader_id, community_id)) NULLS NOT DISTINCT
  WHERE state = 'running';

ALTER TABLE invoicing_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoicing_run FORCE ROW LEVEL SECURITY;
CREATE POLICY invoicing_run_scope ON invoicing_run FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER invoicing_run_begun AFTER INSERT ON invoicing_run FOR EACH STATEMENT
  EXECUTE FUNCTION app.announce_work();
CREATE TRIGGER invoicing_run_sent AFTER UPDATE OF state ON invoicing_run FOR EACH ROW
  WHEN (new.state = 'sending' AND old.state = 'draft') EXECUTE FUNCTION app.announce_work();
