-- Written by `npm run generate` from a migrated database. Do not edit.

-- Acts that people order and that may need another person: who, for whom, how much. Its lines say where to.
CREATE TABLE money_order (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  act text NOT NULL,
  state text NOT NULL,
  -- Why it needs another person; empty: it needs none.
  needs text[] NOT NULL,
  community_id uuid,
  -- A declined connection leaves its order, and no pool.
  pooled_account_id uuid,
  amount_units numeric(38,0) NOT NULL,
  -- What its author saw besides the lines. An approval reads it again.
  facts jsonb NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  requested_by_id text NOT NULL,
  requested_by text NOT NULL,
  decided_at timestamptz,
  -- Who approved or declined it. NULL: nobody yet, or it needed no other person.
  decided_by_id text,
  decided_by text,
  CONSTRAINT money_order_act_check
    CHECK (act = ANY (ARRAY['pool_withdrawals', 'pool_return', 'pool_funding_address', 'pool_connection',
    'invoices_paid_off_platform', 'invoices_archived', 'invoices_recalled', 'sale_cancelled', 'sale_discounted',
    'credit_tipped', 'credit_returned'])),
  CONSTRAINT money_order_amount_units_check CHECK (amount_units >= 0::numeric),
  CONSTRAINT money_order_by_two
    CHECK (cardinality(needs) > 0 OR (act <> ALL (ARRAY['pool_funding_address', 'pool_connection']))),
  CONSTRAINT money_order_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE RESTRICT,
  CONSTRAINT money_order_decision
    CHECK ((decided_at IS NULL) = (decided_by_id IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL)),
  CONSTRAINT money_order_declined CHECK (state <> 'declined' OR decided_at IS NOT NULL),
  CONSTRAINT money_order_facts_check CHECK (jsonb_typeof(facts) = 'object'),
  CONSTRAINT money_order_four_eyes CHECK (state <> 'approved' OR (cardinality(needs) = 0) = (decided_by_id IS NULL)),
  CONSTRAINT money_order_other_person CHECK (state = 'declined' OR decided_by_id <> requested_by_id),
  CONSTRAINT money_order_pkey PRIMARY KEY (id),
  CONSTRAINT money_order_state_check CHECK (state = ANY (ARRAY['awaiting_approval', 'approved', 'declined', 'void'])),
  CONSTRAINT money_order_undecided CHECK (state <> 'awaiting_approval' OR decided_at IS NULL)
);

CREATE INDEX money_order_awaiting ON money_order (requested_at, id) WHERE state = 'awaiting_approval';
CREATE INDEX money_order_by_community ON money_order (community_id, requested_at DESC);
CREATE INDEX money_order_by_pool ON money_order (pooled_account_id, requested_at DESC);
CREATE INDEX money_order_by_time ON money_order (requested_at)
  WHERE amount_units > 0::numeric AND state <> 'declined';
CREATE INDEX money_order_newest ON money_order (requested_at DESC, id DESC);
CREATE UNIQUE INDEX money_order_once ON money_order (pooled_account_id, act)
  WHERE state = 'awaiting_approval' AND (act = ANY (ARRAY['pool_funding_address', 'pool_connection']));

ALTER TABLE money_order ENABLE ROW LEVEL SECURITY;
ALTER TABLE money_order FORCE ROW LEVEL SECURITY;
CREATE POLICY money_order_scope ON money_order FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER money_order_approved BEFORE UPDATE OF state, decided_by_id ON money_order FOR EACH ROW
  WHEN (new.state = 'approved' AND NOT (app.is_operator() AND new.decided_by_id = 'operator'))
  EXECUTE FUNCTION app.refuse_dependent_approval();
CREATE TRIGGER money_order_decided BEFORE UPDATE OF state, decided_at, decided_by_id, decided_by ON money_order
  FOR EACH ROW EXECUTE FUNCTION app.decided_order_stays();
CREATE TRIGGER money_order_made BEFORE INSERT ON money_order FOR EACH ROW WHEN (app.is_application())
  EXECUTE FUNCTION app.new_order_waits();
CREATE TRIGGER money_order_of_pool AFTER INSERT OR UPDATE ON money_order FOR EACH ROW
  WHEN (new.pooled_account_id IS NOT NULL) EXECUTE FUNCTION app.pool_written();
CREATE TRIGGER no_worker_approves BEFORE INSERT OR UPDATE OF state, decided_by_id ON money_order FOR EACH ROW
  WHEN (new.state = 'approved' AND app.is_worker()) EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER order_decided_announced AFTER UPDATE OF state ON money_order FOR EACH ROW
  WHEN (old.state = 'awaiting_approval' AND new.state <> 'awaiting_approval' AND new.pooled_account_id IS NULL)
  EXECUTE FUNCTION app.announce_decided_order();
CREATE CONSTRAINT TRIGGER write_off_ordered AFTER INSERT ON money_order DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (new.state = 'approved' AND app.is_write_off(new.act) AND app.is_api())
  EXECUTE FUNCTION app.refuse_write_off_order();
