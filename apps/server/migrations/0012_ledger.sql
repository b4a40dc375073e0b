-- The double-entry ledger, and the calls that are answered once.
--
-- An amount is a count of base units. In a posting, above zero is a debit and below zero a credit. A balance is kept
-- in the direction that its kind of account grows in, so that "never below zero" means the same for what we hold and
-- for what we owe.
--
-- Who sees what. An account of an invoice belongs to the invoice's provider, figures and all. An account of a trader,
-- a community or the platform adds up over providers: its balance is for super admins. A posting is seen by the
-- provider of its account or else of its journal, so a provider sees the whole of what happened to its invoice, and of
-- a payout only its own parts. The name of a trader's account, which has no figure in it, is seen with the trader.
-- Only a transaction that sees everything writes here: the worker, and what super admins do.

CREATE TABLE ledger_account (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN (
    'deposit_wallet', 'community_wallet', 'gas_wallet', 'receivable', 'gas_spent',
    'trader_deposit', 'billed', 'held', 'payable_mark', 'payable_community', 'payable_community_referrer',
    'payable_trader_referrer', 'payable_hexmount', 'payable_sixk', 'payable_tip', 'platform')),
  -- A trader, a community, an invoice; zeros for the platform itself, which equality finds and NULL would not.
  owner_id uuid NOT NULL,
  asset text NOT NULL CHECK (asset IN ('USDT', 'BNB')),
  provider_id uuid REFERENCES provider,
  -- Follow from the kind; nobody who inserts an account has a say in them.
  side smallint NOT NULL GENERATED ALWAYS AS (
    CASE WHEN kind IN ('deposit_wallet', 'community_wallet', 'gas_wallet', 'receivable', 'gas_spent')
      THEN 1 ELSE -1 END) STORED,
  allow_negative boolean NOT NULL GENERATED ALWAYS AS (kind = 'platform') STORED,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (kind, owner_id, asset),
  UNIQUE (id, asset),
  UNIQUE (id, allow_negative),
  CHECK ((kind IN ('gas_wallet', 'gas_spent', 'platform')) = (owner_id = '00000000-0000-0000-0000-000000000000')),
  CHECK (provider_id IS NULL OR kind IN ('receivable', 'billed', 'held') OR kind LIKE 'payable\_%')
);
CREATE INDEX ledger_account_by_owner ON ledger_account (owner_id);

CREATE TABLE journal (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind ~ '^[a-z_]+$'),
  -- What made it: the same fact makes a journal of a kind once.
  source_type text NOT NULL CHECK (source_type ~ '^[a-z_]+$'),
  source_id text NOT NULL CHECK (source_id <> ''),
  provider_id uuid REFERENCES provider,
  reverses uuid UNIQUE REFERENCES journal CHECK (reverses <> id),
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'service', 'system')),
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The transaction that made it, and the only one that may add postings.
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  UNIQUE (source_type, source_id, kind),
  CHECK ((kind = 'reversal') = (reverses IS NOT NULL))
);
CREATE INDEX journal_by_created ON journal (created_at);

CREATE TABLE posting (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  journal_id uuid NOT NULL REFERENCES journal,
  account_id uuid NOT NULL,
  asset text NOT NULL,
  -- That of the account or else of the journal: what the policy reads.
  provider_id uuid REFERENCES provider,
  amount numeric(38, 0) NOT NULL CHECK (amount <> 0 AND amount <> 'NaN'),
  UNIQUE (journal_id, account_id),
  FOREIGN KEY (account_id, asset) REFERENCES ledger_account (id, asset)
);
CREATE INDEX posting_of_account ON posting (account_id, id DESC) INCLUDE (amount);

-- Kept by triggers. The flag is the account's own: a foreign key over both columns holds them together, so that the
-- rule is a plain CHECK of one row and needs no look at another table.
CREATE TABLE ledger_balance (
  account_id uuid PRIMARY KEY,
  allow_negative boolean NOT NULL,
  posted numeric(38, 0) NOT NULL DEFAULT 0,
  pending numeric(38, 0) NOT NULL DEFAULT 0 CHECK (pending >= 0 AND pending <> 'NaN'),
  FOREIGN KEY (account_id, allow_negative) REFERENCES ledger_account (id, allow_negative),
  CONSTRAINT ledger_balance_covered CHECK (allow_negative OR posted - pending >= 0)
) WITH (fillfactor = 70); -- room to update a row where it stands

-- What is promised and not yet paid. It ends once: its row in the other table is its end.
CREATE TABLE ledger_reservation (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES ledger_account,
  amount numeric(38, 0) NOT NULL CHECK (amount > 0 AND amount <> 'NaN'),
  source_type text NOT NULL CHECK (source_type ~ '^[a-z_]+$'),
  source_id text NOT NULL CHECK (source_id <> ''),
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'service', 'system')),
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (source_type, source_id, account_id)
);
CREATE INDEX ledger_reservation_of_account ON ledger_reservation (account_id);

CREATE TABLE ledger_reservation_end (
  reservation_id uuid PRIMARY KEY REFERENCES ledger_reservation,
  -- The journal that took what was reserved; NULL when it was voided.
  journal_id uuid REFERENCES journal,
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'service', 'system')),
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ledger_reservation_end_of_journal ON ledger_reservation_end (journal_id) WHERE journal_id IS NOT NULL;

CREATE FUNCTION app.open_balances() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO ledger_balance (account_id, allow_negative) SELECT id, allow_negative FROM added;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER ledger_account_added AFTER INSERT ON ledger_account
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.open_balances();

-- Locks balances in the order of their ids. Whatever changes several rows takes them through here first.
CREATE FUNCTION app.lock_balances(account_ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM FROM ledger_balance WHERE account_id = ANY (account_ids) ORDER BY account_id FOR NO KEY UPDATE;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$$;

-- Balances follow postings by trigger and not by a function that everybody is asked to call: an INSERT from anywhere,
-- a repair by hand included, cannot leave them behind. All postings of a journal come in one statement, so that a
-- journal that was found balanced stays so.
CREATE FUNCTION app.post_to_balances() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF EXISTS (SELECT FROM added a JOIN journal j ON j.id = a.journal_id WHERE j.xid <> pg_current_xact_id())
    OR (SELECT count(*) FROM added)
      <> (SELECT count(*) FROM posting WHERE journal_id IN (SELECT journal_id FROM added)) THEN
    RAISE EXCEPTION 'the journal is closed' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF EXISTS (SELECT FROM added a JOIN journal j ON j.id = a.journal_id JOIN ledger_account c ON c.id = a.account_id
             WHERE a.provider_id IS DISTINCT FROM coalesce(c.provider_id, j.provider_id)) THEN
    RAISE EXCEPTION 'the posting names another provider' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF EXISTS (SELECT FROM ledger_reservation_end e
             JOIN ledger_reservation r ON r.id = e.reservation_id
             JOIN ledger_account c ON c.id = r.account_id
             LEFT JOIN added a ON a.journal_id = e.journal_id AND a.account_id = r.account_id
             WHERE e.journal_id IN (SELECT journal_id FROM added)
             GROUP BY e.journal_id, r.account_id, c.side, a.amount
             HAVING sum(r.amount) IS DISTINCT FROM -a.amount * c.side) THEN
    RAISE EXCEPTION 'the journal does not take what was reserved' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  PERFORM app.lock_balances(ARRAY(SELECT account_id FROM added));
  UPDATE ledger_balance b
  SET posted = b.posted + d.amount
  FROM (SELECT a.account_id, sum(a.amount * c.side) AS amount
        FROM added a JOIN ledger_account c ON c.id = a.account_id GROUP BY a.account_id) d
  WHERE b.account_id = d.account_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER posting_added AFTER INSERT ON posting
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.post_to_balances();

CREATE FUNCTION app.reserve_balances() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM app.lock_balances(ARRAY(SELECT account_id FROM added));
  UPDATE ledger_balance b
  SET pending = b.pending + d.amount
  FROM (SELECT account_id, sum(amount) AS amount FROM added GROUP BY account_id) d
  WHERE b.account_id = d.account_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER ledger_reservation_added AFTER INSERT ON ledger_reservation
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.reserve_balances();

-- A reservation ends before the postings that take it: they would overdraw the account otherwise. That they come, and
-- take exactly what was reserved, is seen to when they do.
CREATE FUNCTION app.release_balances() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF EXISTS (SELECT FROM ended e JOIN journal j ON j.id = e.journal_id
             WHERE j.xid <> pg_current_xact_id() OR EXISTS (SELECT FROM posting p WHERE p.journal_id = j.id)) THEN
    RAISE EXCEPTION 'the journal is closed' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  PERFORM app.lock_balances(ARRAY(
    SELECT r.account_id FROM ended e JOIN ledger_reservation r ON r.id = e.reservation_id));
  UPDATE ledger_balance b
  SET pending = b.pending - d.amount
  FROM (SELECT r.account_id, sum(r.amount) AS amount
        FROM ended e JOIN ledger_reservation r ON r.id = e.reservation_id GROUP BY r.account_id) d
  WHERE b.account_id = d.account_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER ledger_reservation_ended AFTER INSERT ON ledger_reservation_end
  REFERENCING NEW TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION app.release_balances();

CREATE FUNCTION app.check_journal() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF (SELECT count(*) FROM posting WHERE journal_id = NEW.id) < 2 THEN
    RAISE EXCEPTION 'a journal has at least two postings' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF EXISTS (SELECT FROM posting WHERE journal_id = NEW.id GROUP BY asset HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'the journal is not balanced' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.reverses IS NOT NULL AND EXISTS (
    SELECT FROM posting WHERE journal_id IN (NEW.id, NEW.reverses) GROUP BY account_id HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'the journal does not mirror the one it reverses'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER journal_balanced AFTER INSERT ON journal
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION app.check_journal();

-- Append-only, and times, ids of transactions and balances are not the application's to choose.
DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY
    ARRAY['ledger_account', 'journal', 'posting', 'ledger_balance', 'ledger_reservation', 'ledger_reservation_end'] LOOP
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON %I FROM copydesk_app', kept);
    EXECUTE format('CREATE TRIGGER %I BEFORE %s ON %I FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change()',
      kept || '_append_only',
      CASE kept WHEN 'ledger_balance' THEN 'DELETE OR TRUNCATE' ELSE 'UPDATE OR DELETE OR TRUNCATE' END, kept);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', kept);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', kept);
  END LOOP;
END
$$;
GRANT INSERT (kind, owner_id, asset, provider_id) ON ledger_account TO copydesk_app;
GRANT INSERT (kind, source_type, source_id, provider_id, reverses, actor_kind, actor_id, actor_name)
  ON journal TO copydesk_app;
GRANT INSERT (journal_id, account_id, asset, provider_id, amount) ON posting TO copydesk_app;
GRANT INSERT (account_id, amount, source_type, source_id, actor_kind, actor_id, actor_name)
  ON ledger_reservation TO copydesk_app;
GRANT INSERT (reservation_id, journal_id, actor_kind, actor_id, actor_name) ON ledger_reservation_end TO copydesk_app;

CREATE POLICY ledger_account_scope ON ledger_account
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    OR (kind IN ('trader_deposit', 'deposit_wallet')
      AND EXISTS (SELECT FROM trader t WHERE t.id = ledger_account.owner_id)))
  WITH CHECK ((SELECT app.sees_all()));
CREATE POLICY journal_scope ON journal
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    OR EXISTS (SELECT FROM posting p
      WHERE p.journal_id = journal.id AND p.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));
CREATE POLICY posting_scope ON posting
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()));
DO $$
DECLARE
  scoped text;
BEGIN
  FOREACH scoped IN ARRAY ARRAY['ledger_balance', 'ledger_reservation'] LOOP
    EXECUTE format($policy$CREATE POLICY %1$I ON %2$I
      USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM ledger_account a
        WHERE a.id = %2$I.account_id AND a.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
      WITH CHECK ((SELECT app.sees_all()))$policy$, scoped || '_scope', scoped);
  END LOOP;
END
$$;
CREATE POLICY ledger_reservation_end_scope ON ledger_reservation_end
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM ledger_reservation r WHERE r.id = ledger_reservation_end.reservation_id))
  WITH CHECK ((SELECT app.sees_all()));

-- Answers of calls that carried an Idempotency-Key. A row is written in the transaction of the effect that it
-- answers for: there is no state in between that a crash could leave behind. While the transaction runs, an advisory
-- lock says so, which ends with it. An answer is its caller's own, whatever the caller's scope: the policy reads the
-- caller, and purging sees all.
CREATE FUNCTION app.caller() RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('copydesk.caller', true), '');

CREATE TABLE idempotent_call (
  caller text NOT NULL CHECK (caller <> ''),
  route text NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
  request_hash bytea NOT NULL CHECK (length(request_hash) = 32),
  status smallint NOT NULL CHECK (status BETWEEN 200 AND 499),
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (caller, route, key)
);
CREATE INDEX idempotent_call_by_expiry ON idempotent_call (expires_at);
ALTER TABLE idempotent_call ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotent_call FORCE ROW LEVEL SECURITY;
CREATE POLICY idempotent_call_scope ON idempotent_call
  USING ((SELECT app.sees_all()) OR caller = (SELECT app.caller()));
REVOKE UPDATE ON idempotent_call FROM copydesk_app;
