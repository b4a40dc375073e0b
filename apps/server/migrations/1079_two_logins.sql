-- API and worker work in roles of their own. The worker's has what the API's has, and besides it writes what follows from
-- the chain. Whoever takes over the API, or its login, can then neither make a transfer nor say that money arrived.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'copydesk_worker') THEN
    CREATE ROLE copydesk_worker NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- roles belong to the whole cluster: the migration of another database was faster
END
$$;
DO $$
BEGIN
  IF NOT pg_has_role('copydesk_worker', 'copydesk_app', 'MEMBER') THEN
    GRANT copydesk_app TO copydesk_worker;
  END IF;
END
$$;
GRANT copydesk_worker TO CURRENT_USER;

CREATE OR REPLACE FUNCTION app.bulk_loading() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('copydesk.bulk', true) = 'on', false)
    AND current_setting('role') NOT IN ('copydesk_app', 'copydesk_worker')
    AND has_schema_privilege(session_user, 'app', 'CREATE');

-- Triggers that watch the application and not the owner: holds of changed addresses, and frozen terms.
DO $$
DECLARE
  watching record;
BEGIN
  FOR watching IN
    SELECT pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t
    WHERE NOT t.tgisinternal AND pg_get_triggerdef(t.oid) LIKE '%CURRENT_USER = ''copydesk_app''::name%'
  LOOP
    EXECUTE replace(replace(watching.definition, 'CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER'),
      'CURRENT_USER = ''copydesk_app''::name',
      'CURRENT_USER = ANY (ARRAY[''copydesk_app''::name, ''copydesk_worker''::name])');
  END LOOP;
END
$$;

-- Ordering. The caller names facts; wallet, recipient and amount follow from them. Rows are checked under the policies of
-- the caller: row-level security is forced for the owner too.

CREATE FUNCTION app.order_payouts(of_chain integer, token text, ids uuid[], payouts uuid[]) RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  INSERT INTO transfer (id, kind, wallet_id, community_id, payout_id, to_address, token_address, amount_units)
  SELECT n.id, 'distribute', w.id, o.community_id, o.id, o.recipient_address, token, o.amount_units
  FROM unnest(ids, payouts) AS n (id, payout_id)
  JOIN payout o ON o.id = n.payout_id
  JOIN distribution d ON d.id = o.distribution_id AND d.state = 'approved'
  JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'community' AND w.owner_id = o.community_id;
END;
COMMENT ON FUNCTION app.order_payouts(integer, text, uuid[], uuid[]) IS
  'Orders the transfers of payouts of approved distributions, from the wallet of their community.';

CREATE FUNCTION app.order_consolidations(of_chain integer, token text, ids uuid[], payables uuid[]) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  backed integer;
BEGIN
  INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
  SELECT n.id, 'consolidate', d.id, y.community_id, w.address, token, sum(y.amount_units)
  FROM unnest(ids, payables) AS n (id, payable_id)
  JOIN payable y ON y.id = n.payable_id AND y.paid_at IS NULL AND y.settled_at IS NULL
  JOIN invoice v ON v.id = y.invoice_id
  JOIN chain_wallet d ON d.chain_id = of_chain AND d.role = 'deposit' AND d.owner_id = v.trader_id
  JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'community' AND w.owner_id = y.community_id
  GROUP BY n.id, d.id, y.community_id, w.address;
  UPDATE payable y SET consolidation_id = n.id
  FROM unnest(ids, payables) AS n (id, payable_id)
  WHERE y.id = n.payable_id AND y.paid_at IS NULL AND y.settled_at IS NULL AND (y.consolidation_id IS NULL
    OR EXISTS (SELECT FROM transfer f WHERE f.id = y.consolidation_id AND f.state IN ('reverted', 'cancelled', 'void')));
  GET DIAGNOSTICS backed = ROW_COUNT;
  RETURN backed;
END
$$;
COMMENT ON FUNCTION app.order_consolidations(integer, text, uuid[], uuid[]) IS
  'Orders transfers that empty deposit addresses of the shares that are to name them. Returns how many shares do.';

CREATE FUNCTION app.order_pool_return(of_chain integer, token text, new_id uuid, deposit uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
  SELECT new_id, 'pool_return', w.id, p.community_id, t.external_wallet_address, token, d.amount_units
  FROM pool_deposit d
  JOIN pooled_account p ON p.id = d.pooled_account_id
  JOIN pool_member m ON m.id = d.member_id JOIN trader t ON t.id = m.trader_id
  JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'pool_deposit' AND w.owner_id = d.member_id
  WHERE d.id = deposit AND d.state = 'queued';
  UPDATE pool_deposit d SET state = 'returning', transfer_id = new_id
  WHERE d.id = deposit AND d.state = 'queued';
END
$$;
COMMENT ON FUNCTION app.order_pool_return(integer, text, uuid, uuid) IS
  'Orders the return of a queued deposit to the present address of its member.';

CREATE FUNCTION app.order_sending_back(of_chain integer, token text, new_id uuid, decision uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
  SELECT new_id, 'pool_send_back', w.id, p.community_id, e.to_address, token, e.amount_units
  FROM pool_arrival_decision e
  JOIN pool_arrival a ON a.id = e.arrival_id
  JOIN pooled_account p ON p.id = a.pooled_account_id
  JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'pool_proxy' AND w.owner_id = p.id
  WHERE e.id = decision AND e.kind = 'sent_back';
END;
COMMENT ON FUNCTION app.order_sending_back(integer, text, uuid, uuid) IS
  'Orders that money is sent back as a decision says, from the proxy wallet of its pool.';

CREATE FUNCTION app.order_pool_funding(of_chain integer, token text, new_id uuid, cycle uuid, number integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
  SELECT new_id, 'pool_fund', w.id, p.community_id, f.to_address, token, f.units
  FROM harvest_funding f
  JOIN harvest_cycle h ON h.id = f.cycle_id
  JOIN pooled_account p ON p.id = h.pooled_account_id
  JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'pool_proxy' AND w.owner_id = p.id
  WHERE f.cycle_id = cycle AND f.attempt = number AND f.state = 'planned';
  UPDATE harvest_funding f SET state = 'ordered', transfer_id = new_id
  WHERE f.cycle_id = cycle AND f.attempt = number AND f.state = 'planned';
END
$$;
COMMENT ON FUNCTION app.order_pool_funding(integer, text, uuid, uuid, integer) IS
  'Orders the transfer of a planned attempt of a cycle, from the proxy wallet of its pool to the exchange.';

-- Taking back what is not signed, and what a person's review allows.

CREATE FUNCTION app.void_planned(payouts uuid[]) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  voided integer;
BEGIN
  UPDATE transfer SET state = 'void', ended_at = now(), problem = NULL, problem_detail = NULL, retry_at = NULL
  WHERE payout_id = ANY (payouts) AND state = 'planned';
  GET DIAGNOSTICS voided = ROW_COUNT;
  RETURN voided;
END
$$;

CREATE FUNCTION app.void_unsignable(ids uuid[]) RETURNS SETOF uuid
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  UPDATE transfer t SET state = 'void', ended_at = now(), problem = NULL, problem_detail = NULL, retry_at = NULL
  FROM chain_wallet w WHERE w.id = t.wallet_id AND t.id = ANY (ids) AND t.state = 'planned'
    AND (w.frozen_because IS NOT NULL OR t.problem <> 'waits_for_gas') RETURNING t.id;
END;

CREATE FUNCTION app.ask_cancel(payout uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  UPDATE transfer SET is_cancel_asked = true WHERE payout_id = payout AND state = 'sent';
END;

CREATE FUNCTION app.end_suspected(ids uuid[], ended_as text) RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  -- Of a frozen wallet, and only what a worker suspects: nothing else can be declared as having paid no one.
  UPDATE transfer t SET state = ended_as, ended_at = now()
  FROM chain_wallet w
  WHERE w.id = t.wallet_id AND w.frozen_because IS NOT NULL AND t.id = ANY (ids) AND t.state = 'sent'
    AND (t.problem, ended_as) IN (('foreign_transaction', 'cancelled'), ('nothing_moved', 'reverted'));
END;

CREATE FUNCTION app.unfreeze_wallet(wallet uuid) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER
  SET search_path = public, pg_temp
BEGIN ATOMIC
  UPDATE chain_wallet w SET frozen_because = NULL, frozen_at = NULL, next_nonce = n.nonce, first_nonce = n.nonce
  FROM (
    SELECT CASE f.frozen_because WHEN 'nonce_gap' THEN
        greatest(f.chain_nonce, (SELECT max(i.nonce) + 1 FROM transfer i WHERE i.wallet_id = f.id))
      ELSE greatest(f.next_nonce, f.chain_nonce) END AS nonce
    FROM chain_wallet f WHERE f.id = wallet) n
  WHERE w.id = wallet AND w.frozen_because IS NOT NULL RETURNING w.next_nonce;
END;

GRANT EXECUTE ON FUNCTION app.order_payouts(integer, text, uuid[], uuid[]),
  app.order_consolidations(integer, text, uuid[], uuid[]), app.order_pool_return(integer, text, uuid, uuid),
  app.order_sending_back(integer, text, uuid, uuid), app.order_pool_funding(integer, text, uuid, uuid, integer),
  app.void_planned(uuid[]), app.void_unsignable(uuid[]),
  app.ask_cancel(uuid), app.end_suspected(uuid[], text), app.unfreeze_wallet(uuid) TO copydesk_app;

-- What follows from the chain: the worker writes it, the API reads it.
GRANT INSERT, UPDATE (state, nonce, is_cancel_asked, problem, problem_detail, retry_at, sent_at, ended_at, limit_claimed_at)
  ON transfer TO copydesk_worker;
GRANT INSERT, UPDATE (broadcast_at, block_number, block_hash, is_success, fee_wei, refusal, refusal_detail, refused_at,
  refusals) ON transfer_attempt TO copydesk_worker;
GRANT UPDATE (next_nonce, first_nonce, frozen_because, frozen_at, chain_nonce) ON chain_wallet TO copydesk_worker;
GRANT INSERT, UPDATE ON transfer_heartbeat, chain_cursor, chain_address_check TO copydesk_worker;
GRANT UPDATE (open_units) ON payment TO copydesk_worker;
GRANT UPDATE (payment_id) ON deposit TO copydesk_worker;
GRANT INSERT ON deposit, payment, deposit_set_aside, pool_deposit, pool_arrival, payout_returned_share TO copydesk_worker;
-- compatible: an API of the version before cannot order payouts until it is restarted, and workers are stopped first
REVOKE INSERT, UPDATE, DELETE ON transfer, transfer_attempt, transfer_heartbeat, deposit, payment, chain_address_check,
  deposit_set_aside, payout_returned_share FROM copydesk_app;
-- compatible: as above
REVOKE UPDATE (payment_id) ON deposit FROM copydesk_app;
-- compatible: as above
REVOKE UPDATE ON chain_wallet FROM copydesk_app;
-- compatible: as above
REVOKE INSERT, UPDATE, DELETE ON chain_cursor FROM copydesk_app;
-- compatible: as above
REVOKE INSERT ON pool_deposit, pool_arrival FROM copydesk_app;
-- compatible: as above
REVOKE UPDATE (state, nonce, is_cancel_asked, problem, problem_detail, retry_at, sent_at, ended_at, limit_claimed_at)
  ON transfer FROM copydesk_app;
-- compatible: as above
REVOKE UPDATE (broadcast_at, block_number, block_hash, is_success, fee_wei, refusal, refusal_detail, refused_at, refusals)
  ON transfer_attempt FROM copydesk_app;
-- compatible: as above
REVOKE UPDATE (next_nonce, first_nonce, frozen_because, frozen_at, chain_nonce) ON chain_wallet FROM copydesk_app;
-- Locking a row takes a right to update it. The API may ask for a cancellation, and that time says nothing about money.
GRANT UPDATE (is_cancel_asked) ON transfer TO copydesk_app;
GRANT UPDATE (created_at) ON chain_wallet TO copydesk_app;
-- What a trader paid earlier pays an order or an invoice that a person reopens.
GRANT UPDATE (open_units) ON payment TO copydesk_app;
-- A person lets reading go on.
GRANT UPDATE (stopped_because, needs_review, updated_at) ON chain_cursor TO copydesk_app;
