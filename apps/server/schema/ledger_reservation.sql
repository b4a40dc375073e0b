-- Written by `npm run generate` from a migrated database. Do not edit.

-- An amount that is promised and not yet paid. A row in ledger_reservation_end ends it, once.
CREATE TABLE ledger_reservation (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  account_id uuid NOT NULL,
  amount numeric(38,0) NOT NULL,
  source_type text NOT NULL,
  source_id text NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT ledger_reservation_account_id_fkey FOREIGN KEY (account_id) REFERENCES ledger_account(id),
  CONSTRAINT ledger_reservation_actor_kind_check CHECK (actor_kind = ANY (ARRAY['user', 'service', 'system'])),
  CONSTRAINT ledger_reservation_amount_check CHECK (amount > 0::numeric AND amount <> 'NaN'::numeric),
  CONSTRAINT ledger_reservation_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_reservation_source_id_check CHECK (source_id <> ''),
  CONSTRAINT ledger_reservation_source_type_check CHECK (source_type ~ '^[a-z_]+$'),
  CONSTRAINT ledger_reservation_source_type_source_id_account_id_key UNIQUE (source_type, source_id, account_id)
);

CREATE INDEX ledger_reservation_of_account ON ledger_reservation (account_id);

ALTER TABLE ledger_reservation ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_reservation FORCE ROW LEVEL SECURITY;
CREATE POLICY ledger_reservation_scope ON ledger_reservation FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM ledger_account a
    WHERE a.id = ledger_reservation.account_id AND (a.provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER ledger_reservation_added AFTER INSERT ON ledger_reservation REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.reserve_balances();
CREATE TRIGGER ledger_reservation_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_reservation
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
