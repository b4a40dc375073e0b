-- Written by `npm run generate` from a migrated database. Do not edit.

-- Ends of reservations.
CREATE TABLE ledger_reservation_end (
  reservation_id uuid NOT NULL,
  -- The journal that took the reserved amount; NULL when the reservation was voided.
  journal_id uuid,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT ledger_reservation_end_actor_kind_check CHECK (actor_kind = ANY (ARRAY['user', 'service', 'system'])),
  CONSTRAINT ledger_reservation_end_journal_id_fkey FOREIGN KEY (journal_id) REFERENCES journal(id),
  CONSTRAINT ledger_reservation_end_pkey PRIMARY KEY (reservation_id),
  CONSTRAINT ledger_reservation_end_reservation_id_fkey FOREIGN KEY (reservation_id)
    REFERENCES ledger_reservation(id)
);

CREATE INDEX ledger_reservation_end_of_journal ON ledger_reservation_end (journal_id) WHERE journal_id IS NOT NULL;

ALTER TABLE ledger_reservation_end ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_reservation_end FORCE ROW LEVEL SECURITY;
CREATE POLICY ledger_reservation_end_scope ON ledger_reservation_end FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM ledger_reservation r
    WHERE r.id = ledger_reservation_end.reservation_id)))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER ledger_reservation_end_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_reservation_end
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER ledger_reservation_end_of_api BEFORE INSERT ON ledger_reservation_end FOR EACH ROW WHEN (app.is_api())
  EXECUTE FUNCTION app.refuse_end_of_promise();
CREATE TRIGGER ledger_reservation_ended AFTER INSERT ON ledger_reservation_end REFERENCING NEW TABLE AS ended
  FOR EACH STATEMENT EXECUTE FUNCTION app.release_balances();
