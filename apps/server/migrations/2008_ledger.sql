-- Double entry: accounts, journals with their postings, balances and what is reserved of them.

CREATE TABLE ledger_account (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  kind text NOT NULL
    CHECK (kind IN ('deposit_wallet', 'community_wallet', 'gas_wallet', 'receivable', 'gas_spent', 'trader_deposit',
    'billed', 'held', 'payable_mark', 'payable_community', 'payable_community_referrer', 'payable_trader_referrer',
    'payable_hexmount', 'payable_sixk', 'payable_tip', 'platform', 'pool_proxy', 'pool_transit', 'pool_exchange',
    'pool_shortfall', 'pool_deposit_wallet', 'pool_capital', 'pool_pending', 'pool_returned', 'pool_fees_due',
    'pool_unexplained')),
  owner_id uuid NOT NULL,
  asset text NOT NULL CHECK (asset IN ('USDT', 'BNB')),
  provider_id uuid REFERENCES provider,
  allow_negative boolean NOT NULL GENERATED ALWAYS AS (kind = 'platform') STORED,
  created_at timestamptz NOT NULL DEFAULT now(),
  side smallint NOT NULL GENERATED ALWAYS AS (CASE
    WHEN kind IN ('deposit_wallet', 'community_wallet', 'gas_wallet', 'receivable', 'gas_spent', 'pool_proxy',
    'pool_transit', 'pool_exchange', 'pool_shortfall', 'pool_deposit_wallet') THEN 1 ELSE '-1'::integer END) STORED,
  CONSTRAINT ledger_account_id_allow_negative_key UNIQUE (id, allow_negative),
  CONSTRAINT ledger_account_id_asset_key UNIQUE (id, asset),
  CONSTRAINT ledger_account_kind_owner_id_asset_key UNIQUE (kind, owner_id, asset),
  CONSTRAINT ledger_account_check1
    CHECK (provider_id IS NULL OR (kind IN ('receivable', 'billed', 'held')) OR kind ~~ 'payable\_%'),
  CONSTRAINT ledger_account_owner_check
    CHECK (owner_id <> '00000000-0000-0000-0000-000000000000'::uuid
    OR (kind IN ('gas_wallet', 'gas_spent', 'platform')))
);
COMMENT ON TABLE ledger_account IS 'Accounts of the ledger.';
COMMENT ON COLUMN ledger_account.owner_id IS
  'A trader, a community or an invoice; zeros for the platform, because equality finds zeros and not NULL.';
COMMENT ON COLUMN ledger_account.side IS 'Follows from the kind, like allow_negative: an insert cannot choose it.';
CREATE INDEX ledger_account_by_owner ON ledger_account (owner_id);

ALTER TABLE ledger_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_account FORCE ROW LEVEL SECURITY;
CREATE POLICY ledger_account_scope ON ledger_account
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    OR (kind IN ('trader_deposit', 'deposit_wallet')
      AND EXISTS (SELECT FROM trader t WHERE t.id = ledger_account.owner_id)))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER ledger_account_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_account
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

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

-- Append-only. Times, ids of transactions and balances are not for the application to choose.
REVOKE INSERT, UPDATE, DELETE ON ledger_account FROM copydesk_app;
GRANT INSERT (kind, owner_id, asset, provider_id) ON ledger_account TO copydesk_app;

CREATE TABLE journal (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  kind text NOT NULL CHECK (kind ~ '^[a-z_]+$'),
  source_type text NOT NULL CHECK (source_type ~ '^[a-z_]+$'),
  source_id text NOT NULL CHECK (source_id <> ''),
  provider_id uuid REFERENCES provider,
  reverses uuid UNIQUE REFERENCES journal,
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'service', 'system')),
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT journal_source_type_source_id_kind_key UNIQUE (source_type, source_id, kind),
  CONSTRAINT journal_check CHECK (reverses <> id),
  CONSTRAINT journal_check1 CHECK ((kind = 'reversal') = (reverses IS NOT NULL))
);
COMMENT ON TABLE journal IS 'Journals: each groups the postings of one fact, which sum to zero for each asset.';
COMMENT ON COLUMN journal.source_type IS
  'The fact that caused the journal, with source_id: the same fact makes a journal of a kind once.';
COMMENT ON COLUMN journal.xid IS 'The transaction that made the journal. Only this transaction may add postings.';
CREATE INDEX journal_by_created ON journal (created_at);

ALTER TABLE journal ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal FORCE ROW LEVEL SECURITY;

CREATE TABLE posting (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  journal_id uuid NOT NULL REFERENCES journal,
  account_id uuid NOT NULL,
  asset text NOT NULL,
  provider_id uuid REFERENCES provider,
  amount numeric(38, 0) NOT NULL CHECK (amount <> 0 AND amount <> 'NaN'),
  UNIQUE (journal_id, account_id),
  FOREIGN KEY (account_id, asset) REFERENCES ledger_account (id, asset)
);
COMMENT ON TABLE posting IS 'Debits and credits of a journal.';
COMMENT ON COLUMN posting.provider_id IS 'The provider of the account, or else of the journal. The policy reads it.';

CREATE POLICY journal_scope ON journal
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[])
    OR EXISTS (SELECT FROM posting p
      WHERE p.journal_id = journal.id AND p.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- Reads the sums of a reversal and its journal once: each mention of a table costs the evaluation of its policy, and
-- OFFSET 0 keeps the planner from walking all accounts in their order.
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
    SELECT FROM (
      SELECT account_id, amount FROM posting WHERE journal_id IN (NEW.id, NEW.reverses) OFFSET 0) both_journals
    GROUP BY account_id HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'the journal does not mirror the one it reverses'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER journal_balanced AFTER INSERT ON journal
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION app.check_journal();

-- Deferred: what people decided is noted after it is posted.
CREATE FUNCTION app.refuse_journal() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF (CASE NEW.kind
    WHEN 'pool_lost' THEN NOT EXISTS (
      SELECT FROM harvest_funding f WHERE NEW.source_type = 'harvest_cycle' AND f.state IN ('lost', 'credited')
        AND NEW.source_id = f.cycle_id || ':transit:' || f.attempt
        AND f.cycle_id::text = split_part(NEW.source_id, ':', 1))
    WHEN 'pool_unexplained_resolved' THEN NOT EXISTS (
      SELECT FROM pool_arrival_decision d WHERE NEW.source_type = 'arrival_decision' AND d.id::text = NEW.source_id
        AND d.state IN ('done', 'undone')
        AND d.amount_units = (SELECT max(abs(p.amount)) FROM posting p WHERE p.journal_id = NEW.id))
    WHEN 'pool_return_undone' THEN NOT EXISTS (
      SELECT FROM pool_arrival_decision d WHERE NEW.source_type = 'arrival_decision' AND d.id::text = NEW.source_id
        AND d.state = 'undone' AND d.kind = 'is_return'
        AND d.amount_units = (SELECT max(abs(p.amount)) FROM posting p WHERE p.journal_id = NEW.id))
    -- The opening of imported books is compared with the chain.
    ELSE NEW.kind NOT IN ('invoice_issued', 'invoice_paid', 'invoice_settled_by_hand', 'invoice_settled_elsewhere',
        'invoice_cancelled', 'invoice_discounted', 'reversal')
      OR (NEW.kind = 'invoice_paid' AND NEW.source_type <> 'invoice_payment') END) THEN
    RAISE EXCEPTION 'workers post what follows from the chain and the exchange' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER journal_of_api AFTER INSERT ON journal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_journal();

-- Append-only. Times, ids of transactions and balances are not for the application to choose.
REVOKE INSERT, UPDATE, DELETE ON journal FROM copydesk_app;
GRANT INSERT (kind, source_type, source_id, provider_id, reverses, actor_kind, actor_id, actor_name)
  ON journal TO copydesk_app;

CREATE INDEX posting_of_account ON posting (account_id, id DESC) INCLUDE (amount);

ALTER TABLE posting ENABLE ROW LEVEL SECURITY;
ALTER TABLE posting FORCE ROW LEVEL SECURITY;
CREATE POLICY posting_scope ON posting
  USING ((SELECT app.sees_all()) OR provider_id = ANY ((SELECT app.provider_ids())::uuid[]))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER posting_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON posting
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- Balances follow postings by trigger rather than by a function that every caller must remember: an INSERT from
-- anywhere, a manual repair included, keeps them correct. All postings of a journal come in one statement, so that a
-- balanced journal stays balanced.
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

-- The figures of members follow their accounts. Most postings touch no pool and end at the first query.
CREATE FUNCTION app.post_to_members() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE pool_member m
  SET capital_units = m.capital_units + d.capital, pending_units = m.pending_units + d.pending
  FROM (
    SELECT c.owner_id, coalesce(sum(-a.amount) FILTER (WHERE c.kind = 'pool_capital'), 0) AS capital,
      coalesce(sum(-a.amount) FILTER (WHERE c.kind = 'pool_pending'), 0) AS pending
    FROM added a JOIN ledger_account c ON c.id = a.account_id
    WHERE c.kind IN ('pool_capital', 'pool_pending') GROUP BY c.owner_id) d
  WHERE m.id = d.owner_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER posting_added_to_members AFTER INSERT ON posting
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.post_to_members();

-- The ledger. Where tokens are, and what members own, only workers post.
CREATE FUNCTION app.refuse_posting() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM added p JOIN ledger_account a ON a.id = p.account_id LEFT JOIN journal j ON j.id = p.journal_id
    WHERE a.kind IN ('deposit_wallet', 'community_wallet', 'gas_wallet', 'gas_spent', 'platform', 'pool_deposit_wallet',
        'pool_proxy', 'pool_exchange', 'pool_capital', 'pool_pending', 'pool_fees_due')
      OR (starts_with(a.kind, 'pool_')
        AND (j.kind IN ('pool_lost', 'pool_unexplained_resolved', 'pool_return_undone')) IS NOT TRUE)) THEN
    RAISE EXCEPTION 'where tokens are, and what members own, workers post' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER posting_added_by_api AFTER INSERT ON posting REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_posting();

-- Append-only. Times, ids of transactions and balances are not for the application to choose.
REVOKE INSERT, UPDATE, DELETE ON posting FROM copydesk_app;
GRANT INSERT (journal_id, account_id, asset, provider_id, amount) ON posting TO copydesk_app;

CREATE TABLE ledger_balance (
  account_id uuid PRIMARY KEY,
  allow_negative boolean NOT NULL,
  posted numeric(38, 0) NOT NULL DEFAULT 0,
  pending numeric(38, 0) NOT NULL DEFAULT 0 CHECK (pending >= 0 AND pending <> 'NaN'),
  FOREIGN KEY (account_id, allow_negative) REFERENCES ledger_account (id, allow_negative),
  CONSTRAINT ledger_balance_covered CHECK (allow_negative OR posted - pending >= 0)
) WITH (fillfactor = 70);
COMMENT ON TABLE ledger_balance IS 'Balances, kept by triggers.';
COMMENT ON COLUMN ledger_balance.allow_negative IS
  'The flag of the account. A foreign key over both columns keeps them equal, so that the rule is a plain CHECK of '
  'one row, without a look at another table.';

ALTER TABLE ledger_balance ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_balance FORCE ROW LEVEL SECURITY;
CREATE POLICY ledger_balance_scope ON ledger_balance
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM ledger_account a
    WHERE a.id = ledger_balance.account_id AND a.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER ledger_balance_append_only BEFORE DELETE OR TRUNCATE ON ledger_balance
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- Append-only. Times, ids of transactions and balances are not for the application to choose.
REVOKE INSERT, UPDATE, DELETE ON ledger_balance FROM copydesk_app;

CREATE TABLE ledger_reservation (
  id uuid PRIMARY KEY DEFAULT app.uuid_by_time(),
  account_id uuid NOT NULL REFERENCES ledger_account,
  amount numeric(38,0) NOT NULL CHECK (amount > 0 AND amount <> 'NaN'::numeric),
  source_type text NOT NULL CHECK (source_type ~ '^[a-z_]+$'),
  source_id text NOT NULL CHECK (source_id <> ''),
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'service', 'system')),
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT ledger_reservation_source_type_source_id_account_id_key UNIQUE (source_type, source_id, account_id)
);
COMMENT ON TABLE ledger_reservation IS
  'An amount that is promised and not yet paid. A row in ledger_reservation_end ends it, once.';
CREATE INDEX ledger_reservation_of_account ON ledger_reservation (account_id);

ALTER TABLE ledger_reservation ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_reservation FORCE ROW LEVEL SECURITY;
CREATE POLICY ledger_reservation_scope ON ledger_reservation
  USING ((SELECT app.sees_all()) OR EXISTS (SELECT FROM ledger_account a
    WHERE a.id = ledger_reservation.account_id AND a.provider_id = ANY ((SELECT app.provider_ids())::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER ledger_reservation_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_reservation
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

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

-- Append-only. Times, ids of transactions and balances are not for the application to choose.
REVOKE INSERT, UPDATE, DELETE ON ledger_reservation FROM copydesk_app;
GRANT INSERT (account_id, amount, source_type, source_id, actor_kind, actor_id, actor_name)
  ON ledger_reservation TO copydesk_app;

CREATE TABLE ledger_reservation_end (
  reservation_id uuid PRIMARY KEY REFERENCES ledger_reservation,
  journal_id uuid REFERENCES journal,
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'service', 'system')),
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE ledger_reservation_end IS 'Ends of reservations.';
COMMENT ON COLUMN ledger_reservation_end.journal_id IS
  'The journal that took the reserved amount; NULL when the reservation was voided.';
CREATE INDEX ledger_reservation_end_of_journal ON ledger_reservation_end (journal_id) WHERE journal_id IS NOT NULL;

ALTER TABLE ledger_reservation_end ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_reservation_end FORCE ROW LEVEL SECURITY;
CREATE POLICY ledger_reservation_end_scope ON ledger_reservation_end
  USING ((SELECT app.sees_all()) OR EXISTS (
    SELECT FROM ledger_reservation r WHERE r.id = ledger_reservation_end.reservation_id))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER ledger_reservation_end_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_reservation_end
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- A reservation ends before the postings that take it: they would overdraw the account otherwise. app.post_to_balances
-- checks that the postings take exactly the reserved amount.
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

CREATE FUNCTION app.refuse_end_of_promise() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.journal_id IS NOT NULL OR EXISTS (
    SELECT FROM ledger_reservation r WHERE r.id = NEW.reservation_id AND CASE r.source_type
      WHEN 'pool_withdrawal' THEN NOT EXISTS (SELECT FROM pool_withdrawal w
        WHERE w.id = split_part(r.source_id, ':', 1)::uuid
          AND (w.state = 'reserved' OR w.attempt::text <> split_part(r.source_id, ':', 2)))
      WHEN 'payout' THEN EXISTS (SELECT FROM transfer i
        WHERE i.payout_id = r.source_id::uuid AND i.state IN ('sent', 'final'))
      WHEN 'transfer' THEN EXISTS (SELECT FROM transfer i
        WHERE i.id = r.source_id::uuid AND i.state IN ('planned', 'sent', 'final'))
      ELSE true END) THEN
    RAISE EXCEPTION 'what is being paid stays reserved' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER ledger_reservation_end_of_api BEFORE INSERT ON ledger_reservation_end FOR EACH ROW
  WHEN (app.is_api()) EXECUTE FUNCTION app.refuse_end_of_promise();

-- Append-only. Times, ids of transactions and balances are not for the application to choose.
REVOKE INSERT, UPDATE, DELETE ON ledger_reservation_end FROM copydesk_app;
GRANT INSERT (reservation_id, journal_id, actor_kind, actor_id, actor_name)
  ON ledger_reservation_end TO copydesk_app;

-- Locks balances in the order of their ids. Every change of several balances calls this first.
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
GRANT EXECUTE ON FUNCTION app.lock_balances(uuid[]) TO copydesk_app;
