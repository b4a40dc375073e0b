-- Written by `npm run generate` from a migrated database. Do not edit.

-- A decision to pay out what a community owes, with one payout for each recipient.
CREATE TABLE distribution (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  community_id uuid NOT NULL,
  state text NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  -- The person who approved or declined it. Only a decline may come from the person who requested it. NULL: not
  -- decided yet, or no approval was needed.
  decided_by_id text,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A payout of it is above the largest one: it takes two further super admins, and the workers let it pass once.
  is_above_maximum boolean NOT NULL DEFAULT false,
  -- The first of the two; the second decides it. NULL: nobody yet, or it takes one at most.
  first_approved_by_id text,
  first_approved_by text,
  first_approved_at timestamptz,
  -- Ordered and decided together with the others of this run. NULL: alone.
  run_id uuid,
  CONSTRAINT distribution_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT distribution_check CHECK (decided_by_id <> requested_by_id OR state = 'declined'),
  CONSTRAINT distribution_check1
    CHECK ((decided_by_id IS NULL) = (decided_at IS NULL) AND (decided_by_id IS NULL) = (decided_by IS NULL)),
  CONSTRAINT distribution_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE RESTRICT,
  CONSTRAINT distribution_first_approval
    CHECK ((first_approved_by_id IS NULL) = (first_approved_by IS NULL)
    AND (first_approved_by_id IS NULL) = (first_approved_at IS NULL) AND (first_approved_by_id IS NULL
    OR is_above_maximum)),
  CONSTRAINT distribution_pkey PRIMARY KEY (id),
  CONSTRAINT distribution_run_id_fkey FOREIGN KEY (run_id) REFERENCES payout_run(id),
  CONSTRAINT distribution_state_check CHECK (state = ANY (ARRAY['awaiting_approval', 'approved', 'declined']))
);

CREATE INDEX distribution_awaiting ON distribution (created_at) WHERE state = 'awaiting_approval';
CREATE INDEX distribution_by_community ON distribution (community_id, created_at DESC, id);
CREATE INDEX distribution_by_run ON distribution (run_id) WHERE run_id IS NOT NULL;

ALTER TABLE distribution ENABLE ROW LEVEL SECURITY;
ALTER TABLE distribution FORCE ROW LEVEL SECURITY;
CREATE POLICY distribution_scope ON distribution FOR ALL
  USING ((SELECT app.sees_all()));

CREATE TRIGGER distribution_approved BEFORE UPDATE OF state, decided_by_id, first_approved_by_id, is_above_maximum
  ON distribution FOR EACH ROW EXECUTE FUNCTION app.refuse_distribution_approval();
CREATE TRIGGER distribution_inserted BEFORE INSERT ON distribution FOR EACH ROW
  EXECUTE FUNCTION app.refuse_distribution_approval();
CREATE TRIGGER distribution_keeps_run BEFORE UPDATE OF run_id ON distribution FOR EACH ROW
  WHEN (old.run_id IS DISTINCT FROM new.run_id) EXECUTE FUNCTION app.refuse_other_run();
CREATE CONSTRAINT TRIGGER distribution_of_run AFTER INSERT
  OR UPDATE OF state, amount_units, community_id, decided_by_id, requested_by_id
  ON distribution DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.run_id IS NOT NULL)
  EXECUTE FUNCTION app.check_payout_run();
CREATE TRIGGER no_worker_approves BEFORE INSERT OR UPDATE OF state, decided_by_id, first_approved_by_id
  ON distribution FOR EACH ROW
  WHEN ((new.state = 'approved' OR new.first_approved_by_id IS NOT NULL) AND app.is_worker())
  EXECUTE FUNCTION app.refuse_worker();
