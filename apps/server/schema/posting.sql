-- Written by `npm run generate` from a migrated database. Do not edit.

-- Debits and credits of a journal.
CREATE TABLE posting (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  journal_id uuid NOT NULL,
  account_id uuid NOT NULL,
  asset text NOT NULL,
  -- The provider of the account, or else of the journal. The policy reads it.
  provider_id uuid,
  amount numeric(38,0) NOT NULL,
  CONSTRAINT posting_account_id_asset_fkey FOREIGN KEY (account_id, asset) REFERENCES ledger_account(id, asset),
  CONSTRAINT posting_amount_check CHECK (amount <> 0::numeric AND amount <> 'NaN'::numeric),
  CONSTRAINT posting_journal_id_account_id_key UNIQUE (journal_id, account_id),
  CONSTRAINT posting_journal_id_fkey FOREIGN KEY (journal_id) REFERENCES journal(id),
  CONSTRAINT posting_pkey PRIMARY KEY (id),
  CONSTRAINT posting_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

CREATE INDEX posting_of_account ON posting (account_id, id DESC) INCLUDE (amount);

ALTER TABLE posting ENABLE ROW LEVEL SECURITY;
ALTER TABLE posting FORCE ROW LEVEL SECURITY;
CREATE POLICY posting_scope ON posting FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER posting_added AFTER INSERT ON posting REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.post_to_balances();
CREATE TRIGGER posting_added_by_api AFTER INSERT ON posting REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_posting();
CREATE TRIGGER posting_added_to_members AFTER INSERT ON posting REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.post_to_members();
CREATE TRIGGER posting_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON posting FOR EACH STATEMENT
  EXECUTE FUNCTION app.refuse_change();
