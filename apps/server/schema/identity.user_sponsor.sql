-- Written by `npm run generate` from a migrated database. Do not edit.

-- Every invitation, promotion and removal of a second factor of a user by another one. Rows are never changed or
-- removed: a new invitation does not erase an earlier one.
CREATE TABLE identity.user_sponsor (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL,
  sponsor_id uuid NOT NULL,
  act text NOT NULL,
  at timestamptz NOT NULL,
  -- The transaction that wrote the row. NULL: before this was recorded.
  xid xid8,
  CONSTRAINT user_sponsor_act_check CHECK (act = ANY (ARRAY['invited', 'promoted', 'reset'])),
  CONSTRAINT user_sponsor_check CHECK (sponsor_id <> user_id),
  CONSTRAINT user_sponsor_pkey PRIMARY KEY (id),
  CONSTRAINT user_sponsor_sponsor_id_fkey FOREIGN KEY (sponsor_id) REFERENCES identity."user"(id),
  CONSTRAINT user_sponsor_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id)
);

CREATE INDEX user_sponsor_by_sponsor ON identity.user_sponsor (sponsor_id, id DESC);
CREATE INDEX user_sponsor_by_user ON identity.user_sponsor (user_id, sponsor_id);

CREATE TRIGGER no_worker_sponsors BEFORE INSERT ON identity.user_sponsor FOR EACH ROW WHEN (app.is_worker())
  EXECUTE FUNCTION app.refuse_worker();
CREATE TRIGGER sponsor_noted BEFORE INSERT ON identity.user_sponsor FOR EACH ROW
  EXECUTE FUNCTION identity.stamp_sponsor();
