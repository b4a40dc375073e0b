-- Written by `npm run generate` from a migrated database. Do not edit.

-- One trader of a bulk act. Its outcome is written in the transaction of what was done.
CREATE TABLE bulk_act_row (
  bulk_act_id uuid NOT NULL,
  "position" integer NOT NULL,
  -- No reference: a trader can be deleted, and the row says so.
  trader_id uuid NOT NULL,
  -- The status that the person saw. Another one by then is left as it is.
  before text,
  outcome text,
  reason text,
  CONSTRAINT bulk_act_row_bulk_act_id_fkey FOREIGN KEY (bulk_act_id) REFERENCES bulk_act(id) ON DELETE CASCADE,
  CONSTRAINT bulk_act_row_left_out CHECK ((reason IS NOT NULL) = (NOT outcome IS DISTINCT FROM 'left_out')),
  CONSTRAINT bulk_act_row_outcome_check CHECK (outcome = ANY (ARRAY['done', 'left_out', 'failed'])),
  CONSTRAINT bulk_act_row_pkey PRIMARY KEY (bulk_act_id, "position"),
  CONSTRAINT bulk_act_row_reason_check
    CHECK (reason = ANY (ARRAY['has_status', 'no_accounts', 'nothing_unpaid', 'keys_work', 'not_reachable',
    'told_lately', 'changed_meanwhile', 'gone', 'access_changed'])),
  CONSTRAINT bulk_act_row_trader UNIQUE (bulk_act_id, trader_id)
);

CREATE INDEX bulk_act_row_left ON bulk_act_row (bulk_act_id, "position") WHERE outcome IS NULL;

ALTER TABLE bulk_act_row ENABLE ROW LEVEL SECURITY;
ALTER TABLE bulk_act_row FORCE ROW LEVEL SECURITY;
CREATE POLICY bulk_act_row_scope ON bulk_act_row FOR ALL
  USING ((EXISTS (SELECT FROM bulk_act b WHERE b.id = bulk_act_row.bulk_act_id)));
