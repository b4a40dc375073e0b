-- Written by `npm run generate` from a migrated database. Do not edit.

-- Journals: each groups the postings of one fact, which sum to zero for each asset.
CREATE TABLE journal (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  kind text NOT NULL,
  -- The fact that caused the journal, with source_id: the same fact makes a journal of a kind once.
  source_type text NOT NULL,
  source_id text NOT NULL,
  provider_id uuid,
  reverses uuid,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The transaction that made the journal. Only this transaction may add postings.
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT journal_actor_kind_check CHECK (actor_kind = ANY (ARRAY['user', 'service', 'system'])),
  CONSTRAINT journal_check CHECK (reverses <> id),
  CONSTRAINT journal_check1 CHECK ((kind = 'reversal') = (reverses IS NOT NULL)),
  CONSTRAINT journal_kind_check CHECK (kind ~ '^[a-z_]+$'),
  CONSTRAINT journal_pkey PRIMARY KEY (id),
  CONSTRAINT journal_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT journal_reverses_fkey FOREIGN KEY (reverses) REFERENCES journal(id),
  CONSTRAINT journal_reverses_key UNIQUE (reverses),
  CONSTRAINT journal_source_id_check CHECK (source_id <> ''),
  CONSTRAINT journal_source_type_check CHECK (source_type ~ '^[a-z_]+$'),
  CONSTRAINT journal_source_type_source_id_kind_key UNIQUE (source_type, source_id, kind)
);

CREATE INDEX journal_by_created ON journal (created_at);

ALTER TABLE journal ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal FORCE ROW LEVEL SECURITY;
CREATE POLICY journal_scope ON journal FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[]))
    OR (EXISTS (SELECT FROM posting p
    WHERE p.journal_id = journal.id AND (p.provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER journal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON journal FOR EACH STATEMENT
  EXECUTE FUNCTION app.refuse_change();
CREATE CONSTRAINT TRIGGER journal_balanced AFTER INSERT ON journal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION app.check_journal();
CREATE CONSTRAINT TRIGGER journal_of_api AFTER INSERT ON journal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_journal();
