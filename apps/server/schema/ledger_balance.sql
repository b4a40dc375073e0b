-- Written by `npm run generate` from a migrated database. Do not edit.

-- Balances, kept by triggers.
CREATE TABLE ledger_balance (
  account_id uuid NOT NULL,
  -- The flag of the account. A foreign key over both columns keeps them equal, so that the rule is a plain CHECK of
  -- one row, without a look at another table.
  allow_negative boolean NOT NULL,
  posted numeric(38,0) NOT NULL DEFAULT 0,
  pending numeric(38,0) NOT NULL DEFAULT 0,
  CONSTRAINT ledger_balance_account_id_allow_negative_fkey FOREIGN KEY (account_id, allow_negative)
    REFERENCES ledger_account(id, allow_negative),
  CONSTRAINT ledger_balance_covered CHECK (allow_negative OR (posted - pending) >= 0::numeric),
  CONSTRAINT ledger_balance_pending_check CHECK (pending >= 0::numeric AND pending <> 'NaN'::numeric),
  CONSTRAINT ledger_balance_pkey PRIMARY KEY (account_id)
) WITH (fillfactor=70);

ALTER TABLE ledger_balance ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_balance FORCE ROW LEVEL SECURITY;
CREATE POLICY ledger_balance_scope ON ledger_balance FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM ledger_account a
    WHERE a.id = ledger_balance.account_id AND (a.provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER ledger_balance_append_only BEFORE DELETE OR TRUNCATE ON ledger_balance FOR EACH STATEMENT
  EXECUTE FUNCTION app.refuse_change();
