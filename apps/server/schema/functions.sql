-- Written by `npm run generate` from a migrated database. Do not edit.

CREATE OR REPLACE FUNCTION app.account_connected()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.removed_at IS NOT NULL AND OLD.removed_at IS NULL THEN
    UPDATE account_holder SET held_until = NEW.removed_at
    WHERE account_id = NEW.id AND held_until IS NULL AND held_from < NEW.removed_at;
    DELETE FROM account_holder WHERE account_id = NEW.id AND held_until IS NULL;
  ELSIF TG_OP = 'UPDATE' AND NEW.removed_at IS NULL AND OLD.removed_at IS NOT NULL THEN
    -- The same connection goes on: the time in between is its own, unless somebody else held the account then.
    PERFORM app.hold_account(NEW.exchange, NEW.acc_uid,
      CASE WHEN NEW.connected_at = OLD.connected_at THEN OLD.removed_at ELSE NEW.connected_at END, NEW.id, NULL);
  ELSIF TG_OP = 'UPDATE' THEN
    UPDATE account_holder SET held_from = NEW.connected_at WHERE account_id = NEW.id AND held_until IS NULL;
  ELSIF NEW.removed_at IS NULL THEN
    PERFORM app.hold_account(NEW.exchange, NEW.acc_uid, NEW.connected_at, NEW.id, NULL);
  ELSIF NEW.removed_at > NEW.connected_at THEN
    INSERT INTO account_holder (exchange, acc_uid, held_from, held_until, account_id)
    VALUES (NEW.exchange, NEW.acc_uid, NEW.connected_at, NEW.removed_at, NEW.id);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.account_texts_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  changed uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO changed FROM new_accounts;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO changed FROM old_accounts;
  ELSE
    -- An account that moves changes the texts of both traders.
    SELECT array_agg(DISTINCT moved) INTO changed
    FROM new_accounts n JOIN old_accounts o USING (id) CROSS JOIN LATERAL (VALUES (n.trader_id), (o.trader_id)) v (moved)
    WHERE (n.trader_id, n.provider_id, n.acc_uid, n.master_address, n.agent_address, n.removed_at)
      IS DISTINCT FROM (o.trader_id, o.provider_id, o.acc_uid, o.master_address, o.agent_address, o.removed_at);
  END IF;
  IF changed IS NOT NULL AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_trader_text(changed);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.accounts_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM new_accounts;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM old_accounts;
  ELSE
    SELECT array_agg(DISTINCT trader_id) INTO touched
    FROM (SELECT trader_id FROM new_accounts UNION SELECT trader_id FROM old_accounts) both_sides;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_traders(touched);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.add_to_provider_sums(changes pool_provider_sum[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  INSERT INTO pool_provider_sum AS s
    (pooled_account_id, provider_id, is_shared, capital_units, pending_units, member_count)
  SELECT c.pooled_account_id, c.provider_id, c.is_shared, sum(c.capital_units), sum(c.pending_units),
    sum(c.member_count)::int
  FROM unnest(changes) c GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (pooled_account_id, provider_id, is_shared) DO UPDATE
  SET capital_units = s.capital_units + excluded.capital_units,
    pending_units = s.pending_units + excluded.pending_units,
    member_count = s.member_count + excluded.member_count
$function$;

CREATE OR REPLACE FUNCTION app.add_to_set_sums(changes pool_set_sum[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  INSERT INTO pool_set_sum AS s (set_id, pooled_account_id, capital_units, pending_units, member_count)
  SELECT c.set_id, c.pooled_account_id, sum(c.capital_units), sum(c.pending_units), sum(c.member_count)::int
  FROM unnest(changes) c JOIN provider_set v ON v.id = c.set_id GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (set_id, pooled_account_id) DO UPDATE
  SET capital_units = s.capital_units + excluded.capital_units,
    pending_units = s.pending_units + excluded.pending_units,
    member_count = s.member_count + excluded.member_count
$function$;

CREATE OR REPLACE FUNCTION app.address_hold()
 RETURNS interval
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT ((((COALESCE(s.value, d.value, '0'::jsonb) #>> '{}'::text[]))::numeric)::double precision * '01:00:00'::interval)
    FROM ((( VALUES ('payout_address_hold_hours'::text)) n(name)
      LEFT JOIN platform_setting s ON ((s.name = n.name)))
      LEFT JOIN platform_setting_default d ON ((d.name = n.name)));
END;

CREATE OR REPLACE FUNCTION app.analyze_partitioned()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  t record;
BEGIN
  FOR t IN SELECT p.name FROM app.partitioned() p LOOP
    EXECUTE format('ANALYZE public.%I', t.name);
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION app.announce_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('copydesk_access', OLD.user_id::text);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.announce_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM app.wake('copydesk_change', '');
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.announce_decided_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM app.announce_order(ARRAY[NEW.id]);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.announce_mark()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, provider_ids)
  VALUES ('attention', array_remove(ARRAY[NEW.provider_id], NULL));
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.announce_order(orders uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  -- One event for many subjects of a trader, as for many invoices.
  INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
  SELECT CASE WHEN i.id IS NULL THEN 'payment' ELSE 'invoice' END, CASE WHEN count(*) = 1 THEN (array_agg(l.subject_id))[1] END,
    coalesce(i.trader_id, p.trader_id), '{}'
  FROM money_order_line l LEFT JOIN invoice i ON i.id = l.subject_id LEFT JOIN payment p ON p.id = l.subject_id
  WHERE l.order_id = ANY (orders) AND coalesce(i.trader_id, p.trader_id) IS NOT NULL
  GROUP BY (i.id IS NULL), coalesce(i.trader_id, p.trader_id)
$function$;

CREATE OR REPLACE FUNCTION app.announce_own()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  changed record := coalesce(NEW, OLD);
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids, user_id)
  VALUES (TG_TABLE_NAME, changed.id, '{}', changed.user_id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.announce_own_setting()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, provider_ids, user_id)
  VALUES ('own_setting', '{}', (coalesce(NEW, OLD)).user_id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.announce_reading_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM app.wake('copydesk_reading', NEW.exchange);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.announce_stop()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO change_event (topic, provider_ids) SELECT 'stop', coalesce(array_agg(p.id), '{}') FROM provider p;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.announce_waiting_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM app.announce_order(array_agg(DISTINCT o.id))
  FROM added l JOIN money_order o ON o.id = l.order_id
  WHERE o.state = 'awaiting_approval' AND o.pooled_account_id IS NULL;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.announce_work()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM app.wake('copydesk_work', TG_TABLE_NAME);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.append_audit(entry_at timestamp with time zone, entry_actor_kind text, entry_actor_id text, entry_actor_name text, entry_request_id text, actions text[], target_kinds text[], target_ids text[], befores jsonb[], afters jsonb[], hashes bytea[], entry_keyed_by text, own_hashes bytea[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  head_seq bigint := nullif(current_setting('copydesk.audit_from', true), '')::bigint;
  head_hash bytea;
BEGIN
  PERFORM app.lock_audit();
  IF head_seq IS NULL THEN -- it read the head before there were seals, and waited for them
    SELECT e.seq, e.hash INTO head_seq, head_hash FROM audit_entry e ORDER BY e.seq DESC LIMIT 1;
  END IF;
  INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, request_id, action, target_kind, target_id,
    before, after, hash_version, keyed_by, own_hash, previous_hash, hash)
  SELECT coalesce(head_seq, 0) + n.place, entry_at, entry_actor_kind, entry_actor_id, entry_actor_name, entry_request_id,
    n.action, n.target_kind, n.target_id, n.before, n.after, 2, entry_keyed_by, n.own_hash,
    CASE WHEN n.place > 1 THEN hashes[n.place - 1] ELSE coalesce(head_hash, decode(repeat('00', 32), 'hex')) END, n.hash
  FROM unnest(actions, target_kinds, target_ids, befores, afters, hashes, own_hashes)
    WITH ORDINALITY AS n (action, target_kind, target_id, before, after, hash, own_hash, place);
  INSERT INTO audit_unsealed (seq)
    SELECT coalesce(head_seq, 0) + n.place FROM generate_series(1, cardinality(own_hashes)) AS n (place);
  INSERT INTO audit_order (order_id, seq)
    SELECT app.audited_order(n.action, n.after), coalesce(head_seq, 0) + n.place
    FROM unnest(actions, afters) WITH ORDINALITY AS n (action, after, place)
    WHERE app.audited_order(n.action, n.after) IS NOT NULL;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.approve_pool(approved_order uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE pooled_account p SET is_approved = true, is_active = true, updated_at = now()
  FROM money_order o
  WHERE o.id = approved_order AND o.act = 'pool_connection' AND o.state = 'approved'
    AND o.decided_by_id <> o.requested_by_id AND p.id = o.pooled_account_id AND NOT p.is_approved;
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION app.archive_failing()
 RETURNS double precision
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN (SELECT CASE WHEN a.last_failed_time > coalesce(a.last_archived_time, '-infinity')
      THEN extract(epoch FROM now() - coalesce(a.last_archived_time, a.stats_reset)) ELSE 0 END
    FROM pg_stat_archiver a WHERE current_setting('archive_mode') <> 'off');
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR insufficient_privilege THEN
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.ask_cancel(payout uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 UPDATE transfer SET is_cancel_asked = true
   WHERE ((transfer.payout_id = ask_cancel.payout) AND (transfer.state = 'sent'::text));
END;

CREATE OR REPLACE FUNCTION app.audit_head(OUT seq bigint, OUT hash bytea)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM app.lock_audit();
  audit_head.seq := nextval('audit_number') + 8; -- whoever takes numbers between these two statements has some
  PERFORM setval('audit_number', audit_head.seq + 1000);
  PERFORM set_config('copydesk.audit_from', audit_head.seq::text, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.audit_order_name(order_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  placed money_order;
  owner_name text;
  -- As amounts are written on screen: thousands, two places, and up to six.
  amount text;
  -- Lines are numbered from 1: counting those of a large order would read all of them.
  invoices text;
BEGIN
  SELECT * INTO placed FROM money_order o WHERE o.id = audit_order_name.order_id;
  IF placed.id IS NULL THEN RETURN NULL; END IF;
  SELECT ' of ' || c.name INTO owner_name FROM community c WHERE c.id = placed.community_id;
  owner_name := coalesce(owner_name, '');
  amount := to_char(placed.amount_units / 1e18, 'FM999,999,999,999,990.009999') || ' USDT';
  IF app.is_write_off(placed.act) THEN
    SELECT CASE max(l.place) WHEN 1 THEN '1 invoice' ELSE to_char(max(l.place), 'FM999,990') || ' invoices' END
      INTO invoices FROM money_order_line l WHERE l.order_id = placed.id;
  END IF;
  RETURN CASE placed.act
    WHEN 'pool_withdrawals' THEN format('a withdrawal of %s from the pool%s', amount, owner_name)
    WHEN 'pool_return' THEN format('the return of a deposit of %s from the pool%s', amount, owner_name)
    WHEN 'pool_funding_address' THEN format('a funding address of the pool%s', owner_name)
    WHEN 'pool_connection' THEN format('connecting the pool%s', owner_name)
    WHEN 'invoices_paid_off_platform' THEN format('marking %s%s as paid off-platform, %s unpaid',
      invoices, owner_name, amount)
    WHEN 'invoices_archived' THEN format('archiving %s%s, %s unpaid', invoices, owner_name, amount)
    WHEN 'invoices_recalled' THEN format('recalling %s%s, %s', invoices, owner_name, amount)
    WHEN 'sale_cancelled' THEN format('cancelling an order with the bot%s, %s unpaid', owner_name, amount)
    WHEN 'sale_discounted' THEN format('a discount of %s on an order with the bot%s', amount, owner_name)
    WHEN 'credit_tipped' THEN format('turning %s of credit%s into a tip', amount, owner_name)
    WHEN 'credit_returned' THEN format('sending %s of credit%s back', amount, owner_name)
    ELSE replace(placed.act, '_', ' ') || ', ' || amount
  END;
END $function$;

CREATE OR REPLACE FUNCTION app.audit_provider(target_kind text, target_id text, before jsonb, after jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (target_kind = 'provider'::text) THEN target_id ELSE COALESCE((after ->> 'provider_id'::text), (before ->> 'provider_id'::text), (after ->> 'selected_provider_id'::text), (before ->> 'selected_provider_id'::text)) END;

CREATE OR REPLACE FUNCTION app.audit_target_name(target_kind text, target_id text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  target uuid;
BEGIN
  IF target_id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN
    RETURN NULL;
  END IF;
  target := target_id::uuid;
  IF target_kind = 'trader' THEN
    RETURN (SELECT coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name) FROM trader t
      WHERE t.id = target);
  ELSIF target_kind = 'community' THEN
    RETURN (SELECT c.name FROM community c WHERE c.id = target);
  ELSIF target_kind = 'provider' THEN
    RETURN (SELECT p.display_name FROM provider p WHERE p.id = target);
  ELSIF target_kind = 'user' THEN
    RETURN (SELECT p.email FROM identity.person p WHERE p.id = target);
  ELSIF target_kind = 'service_token' THEN
    RETURN (SELECT s.name FROM identity.service_token s WHERE s.id = target);
  ELSIF target_kind = 'invoice' THEN
    RETURN (SELECT coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name)
      FROM invoice i JOIN trader t ON t.id = i.trader_id WHERE i.id = target);
  ELSIF target_kind = 'pool' THEN
    RETURN (SELECT c.name FROM pooled_account a JOIN community c ON c.id = a.community_id WHERE a.id = target);
  ELSIF target_kind = 'wallet' THEN
    RETURN (SELECT w.address FROM chain_wallet w WHERE w.id = target);
  ELSIF target_kind = 'payout' THEN
    RETURN (SELECT c.name FROM payout o JOIN community c ON c.id = o.community_id WHERE o.id = target);
  ELSIF target_kind = 'order' THEN
    RETURN app.audit_order_name(target);
  ELSIF target_kind = 'invoicing_run' THEN
    RETURN (SELECT coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name, c.name, 'all traders')
      FROM invoicing_run r LEFT JOIN trader t ON t.id = r.trader_id LEFT JOIN community c ON c.id = r.community_id
      WHERE r.id = target);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION app.audit_words(e audit_entry)
 RETURNS tsvector
 LANGUAGE sql
 STABLE
AS $function$
  SELECT app.parted_words(concat_ws(' ', e.actor_name, e.action, e.target_kind, e.target_id,
    app.audit_target_name(e.target_kind, e.target_id), e.before::text, e.after::text))
$function$;

CREATE OR REPLACE FUNCTION app.audited_order(action text, after jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE split_part(action, '.'::text, 1) WHEN 'distribution'::text THEN (after ->> 'distribution_id'::text) WHEN 'order'::text THEN (after ->> 'order_id'::text) WHEN 'pool'::text THEN COALESCE((after ->> 'decision_id'::text), (after ->> 'withdrawal_id'::text)) ELSE NULL::text END;

CREATE OR REPLACE FUNCTION app.begin_sealing(OUT "position" bigint, OUT hash bytea)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  BEGIN
    LOCK TABLE audit_lock IN EXCLUSIVE MODE NOWAIT;
  EXCEPTION WHEN lock_not_available THEN
    RETURN;
  END;
  PERFORM app.lock_audit(); -- is held by now: it bounds the turn
  SELECT s.position, s.hash INTO begin_sealing.position, begin_sealing.hash
  FROM audit_seal s ORDER BY s.position DESC LIMIT 1;
  IF NOT FOUND THEN
    begin_sealing.position := 0;
    begin_sealing.hash := decode(repeat('00', 32), 'hex');
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION app.billing_event_stored()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM pgboss.queue q WHERE q.name = 'stripe-sync') THEN
    PERFORM app.request_sync('stripe-sync', NEW.subject_kind, NEW.subject_id, NULL);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.bot_commands_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE exchange_bot_reading SET commands_wanted = commands_wanted + 1
  WHERE bot_id = CASE WHEN TG_TABLE_NAME = 'exchange_bot' THEN (to_jsonb(NEW)->>'id')::uuid
    ELSE (coalesce(to_jsonb(NEW), to_jsonb(OLD))->>'bot_id')::uuid END;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.bot_invoice_settled()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  sale exchange_bot_sale;
  begins timestamptz;
BEGIN
  SELECT * INTO sale FROM exchange_bot_sale s WHERE s.invoice_id = NEW.id;
  IF sale.invoice_id IS NULL THEN RETURN NULL; END IF;
  IF NEW.status = 'paid' THEN
    SELECT greatest(NEW.paid_at, max(s.access_until)) INTO begins FROM exchange_bot_sale s
    WHERE s.trader_id = sale.trader_id AND s.bot_id = sale.bot_id AND s.access_until IS NOT NULL;
    UPDATE exchange_bot_sale SET sold_at = NEW.paid_at, access_from = begins,
      access_until = begins + sale.days * interval '24 hours', cancelled_because = NULL,
      revived_at = CASE WHEN OLD.status = 'cancelled' THEN NEW.paid_at ELSE revived_at END
    WHERE invoice_id = NEW.id;
  ELSE
    UPDATE exchange_bot_sale SET sold_at = NULL, access_from = NULL, access_until = NULL WHERE invoice_id = NEW.id;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.bulk_loading()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (COALESCE((current_setting('copydesk.bulk'::text, true) = 'on'::text), false) AND (current_setting('role'::text) <> ALL (ARRAY['copydesk_app'::text, 'copydesk_worker'::text, 'copydesk_operator'::text])) AND has_schema_privilege(SESSION_USER, 'app'::text, 'CREATE'::text));

CREATE OR REPLACE FUNCTION app.caller()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('copydesk.caller'::text, true), ''::text);

CREATE OR REPLACE FUNCTION app.check_journal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.check_lift_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (('waiting', 'confirmed'), ('waiting', 'withdrawn'), ('confirmed', 'lifted'),
      ('confirmed', 'withdrawn'), ('confirmed', 'refused'))
    -- What a person has confirmed is carried out as confirmed.
    OR (OLD.state = 'confirmed' AND NEW.state = 'lifted'
      AND (NEW.decided_by_id, NEW.decided_at) IS DISTINCT FROM (OLD.decided_by_id, OLD.decided_at))
  THEN
    RAISE EXCEPTION 'a lift cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.check_payment_intents()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  wrong uuid;
BEGIN
  SELECT i.payout_id INTO wrong
  FROM added i JOIN payout o ON o.id = i.payout_id
  WHERE i.kind = 'distribute' AND (
    lower(i.to_address) <> lower(o.recipient_address) OR i.amount_units <> o.amount_units
    OR i.amount_units <> (SELECT coalesce(sum(y.amount_units), 0) FROM payable y WHERE y.payout_id = o.id))
  LIMIT 1;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'a transfer does not pay the shares of payout %', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.check_payout_run()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (
    SELECT FROM payout_run r JOIN distribution d ON d.run_id = r.id WHERE r.id = NEW.run_id
    GROUP BY r.id HAVING count(*) = r.communities AND count(DISTINCT d.community_id) = r.communities
      AND sum(d.amount_units) = r.amount_units AND min(d.state) = max(d.state)
      AND count(DISTINCT d.decided_by_id) <= 1 AND bool_and(d.requested_by_id = r.requested_by_id)
      AND NOT bool_or(d.is_above_maximum)) THEN
    RAISE EXCEPTION 'the distributions of a run are decided as one, as they were ordered'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.check_supported_exchanges()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM unnest(NEW.supported_exchanges) s (id)
      WHERE NOT EXISTS (SELECT FROM exchange e WHERE e.id = s.id)) THEN
    RAISE EXCEPTION 'provider % supports an exchange that does not exist', NEW.id USING ERRCODE = 'foreign_key_violation',
      CONSTRAINT = 'provider_supported_exchanges_fkey';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.close_differs()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  NEW.is_correction_decided := EXISTS (SELECT FROM difference_decision x
    WHERE x.kind = 'corrected_close' AND x.subject_id = NEW.id AND x.seen = NEW.corrected_pnl::text);
  NEW.is_double_decided := EXISTS (SELECT FROM difference_decision x
    WHERE x.kind = 'doubled_close' AND x.subject_id = NEW.id AND x.seen = NEW.double_of::text);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.community_rate_set()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO commission_rate (community_id, rate, in_force_from)
  VALUES (NEW.id, NEW.commission_rate, CASE TG_OP WHEN 'INSERT' THEN '-infinity'::timestamptz ELSE clock_timestamp() END)
  ON CONFLICT (community_id, in_force_from) WHERE community_id IS NOT NULL DO UPDATE SET rate = excluded.rate;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.connect_pool(request uuid, minimum_units numeric, basis text, bot boolean)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  answer pool_exchange_request := app.use_pool_answer(request, 'connection');
BEGIN
  INSERT INTO pooled_account (id, community_id, minimum_deposit_units, fee_basis, has_bot, is_active, is_approved,
    bybit_uid, bybit_region, bybit_address_read, bybit_address_read_at)
  VALUES (answer.pooled_account_id, answer.community_id, minimum_units, basis, bot, false, false,
    answer.uid, answer.region, answer.address, CASE WHEN answer.address IS NOT NULL THEN now() END);
  INSERT INTO harvest_cycle (pooled_account_id, cycle_number) VALUES (answer.pooled_account_id, 1);
  PERFORM app.store_pool_key(answer);
  RETURN answer.pooled_account_id;
END
$function$;

CREATE OR REPLACE FUNCTION app.connect_unapproved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.is_approved := false;
  NEW.is_active := false;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.decided_order_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT (OLD.state = 'awaiting_approval' OR OLD.state = 'approved' AND NEW.state = 'void') THEN
    RAISE EXCEPTION 'the order % is %', OLD.id, OLD.state USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.deduction_ended()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  NEW.is_open := app.deduction_left(NEW) > 0;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.deduction_left(deduction invoice_deduction)
 RETURNS numeric
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT (((deduction_left.deduction).amount_units - COALESCE((deduction_left.deduction).ended_units, (0)::numeric)) - COALESCE(sum(u.amount_units), (0)::numeric))
    FROM (invoice_deduction_use u
      JOIN invoice i ON ((i.id = u.invoice_id)))
   WHERE ((u.deduction_id = (deduction_left.deduction).id) AND (i.status <> 'cancelled'::text));
END;

CREATE OR REPLACE FUNCTION app.deduction_used()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  changed uuid[];
BEGIN
  IF TG_TABLE_NAME = 'invoice' THEN
    changed := ARRAY(SELECT u.deduction_id FROM invoice_deduction_use u WHERE u.invoice_id = NEW.id);
  ELSE
    changed := ARRAY[NEW.deduction_id];
  END IF;
  PERFORM FROM invoice_deduction d WHERE d.id = ANY (changed) ORDER BY d.id FOR NO KEY UPDATE;
  UPDATE invoice_deduction d SET is_open = app.deduction_left(d) > 0
  WHERE d.id = ANY (changed) AND d.is_open <> (app.deduction_left(d) > 0);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.detach_partition(of_table text, before timestamp with time zone, keeps boolean)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '500ms'
AS $function$
DECLARE
  found text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('copydesk.partitions'));
  SELECT p.name INTO found FROM app.partitions() p JOIN app.partitioned() t ON t.name = p.parent
  WHERE p.parent = of_table AND p.until <= before AND p.until <= now() - t.kept ORDER BY p.until LIMIT 1;
  IF found IS NOT NULL THEN
    EXECUTE format('ALTER TABLE public.%I DETACH PARTITION partition.%I', of_table, found);
    IF NOT keeps THEN
      EXECUTE format('DROP TABLE partition.%I', found);
    END IF;
  END IF;
  RETURN found;
END
$function$;

CREATE OR REPLACE FUNCTION app.difference_decided()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  CASE NEW.kind
    WHEN 'corrected_close' THEN
      UPDATE closed_position SET is_correction_decided = true
      WHERE id = NEW.subject_id AND corrected_pnl::text = NEW.seen;
    WHEN 'doubled_close' THEN
      UPDATE closed_position SET is_double_decided = true WHERE id = NEW.subject_id AND double_of::text = NEW.seen;
    ELSE
      UPDATE account_reading SET is_unread_decided = true
      WHERE account_id = NEW.subject_id AND app.iso(unread_until) = NEW.seen;
  END CASE;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.directory_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  changed uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.id ELSE NEW.id END;
BEGIN
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids)
    VALUES (TG_TABLE_NAME, changed, CASE TG_TABLE_NAME
      WHEN 'provider' THEN ARRAY[changed]
      ELSE ARRAY(SELECT provider_id FROM community_provider WHERE community_id = changed) END);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$function$;

CREATE OR REPLACE FUNCTION app.distributions_awaiting()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER ROWS 1
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  RETURN QUERY SELECT id FROM distribution WHERE state = 'awaiting_approval';
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.drop_unapproved_pool(pool uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM 1 FROM pooled_account p WHERE p.id = pool AND NOT p.is_approved FOR UPDATE;
  IF FOUND THEN
    DELETE FROM pool_key WHERE pooled_account_id = pool;
    -- What was read of the account, in case somebody tried to start it.
    DELETE FROM pool_evidence e USING harvest_cycle h WHERE h.id = e.cycle_id AND h.pooled_account_id = pool;
    DELETE FROM pool_movement WHERE pooled_account_id = pool;
    DELETE FROM pool_position WHERE pooled_account_id = pool;
    DELETE FROM pool_exchange_read WHERE pooled_account_id = pool;
    DELETE FROM harvest_cycle WHERE pooled_account_id = pool;
    DELETE FROM pool_sum WHERE pooled_account_id = pool;
    DELETE FROM pooled_account WHERE id = pool;
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION app.end_deduction(deduction uuid, by_id text, by_name text)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  rest numeric;
BEGIN
  -- A run that invoices the trader holds its lock: it either used the deduction before, or finds none.
  PERFORM FROM trader t WHERE t.id = (SELECT d.trader_id FROM invoice_deduction d WHERE d.id = deduction)
    FOR NO KEY UPDATE;
  SELECT app.deduction_left(d) INTO rest FROM invoice_deduction d WHERE d.id = deduction;
  IF rest IS NULL OR rest <= 0 THEN RETURN 0; END IF;
  UPDATE invoice_deduction d SET ended_units = coalesce(d.ended_units, 0) + rest, ended_at = now(), ended_by = by_name,
    ended_by_id = by_id
  WHERE d.id = deduction;
  RETURN rest;
END
$function$;

CREATE OR REPLACE FUNCTION app.end_part_paid_order(ended uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  given numeric;
BEGIN
  PERFORM FROM invoice i WHERE i.id = ended AND i.invoice_type = 'exchange_bot' AND i.status = 'pending'
    AND i.paid_units > 0 AND EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = i.id AND l.amount_units >= i.amount_units - i.paid_units
        AND o.act = 'sale_cancelled' AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now())
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'an order that was paid in part is ended by an order of a person'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  UPDATE payment p SET open_units = p.open_units + m.amount_units FROM invoice_payment m
  WHERE m.payment_id = p.id AND m.invoice_id = ended;
  UPDATE community_day d SET received_units = d.received_units - g.units
  FROM (SELECT i.community_id, m.provider_id, app.utc_day(m.received_at) AS day, sum(m.amount_units) AS units
        FROM invoice_payment m JOIN invoice i ON i.id = m.invoice_id WHERE m.invoice_id = ended GROUP BY 1, 2, 3) g
  WHERE d.community_id = g.community_id AND d.day = g.day AND d.provider_id IS NOT DISTINCT FROM g.provider_id;
  WITH taken AS (DELETE FROM invoice_payment m WHERE m.invoice_id = ended RETURNING m.amount_units)
  SELECT sum(amount_units) INTO given FROM taken;
  UPDATE invoice SET status = 'cancelled', paid_units = 0, updated_at = now() WHERE id = ended;
  UPDATE exchange_bot_sale SET cancelled_because = 'staff', credit_units = given WHERE invoice_id = ended;
  RETURN given;
END
$function$;

CREATE OR REPLACE FUNCTION app.end_stop(from_where text, why text, by_id text, by_name text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  ended transfer_stop;
BEGIN
  UPDATE transfer_stop SET lifted_at = clock_timestamp(), lifted_by_id = by_id, lifted_by = by_name, lift_reason = why,
    lift_origin = from_where
  WHERE lifted_at IS NULL RETURNING * INTO ended;
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE transfer_gate SET stopped_since = NULL;
  UPDATE harvest_cycle h SET deadline_at = h.deadline_at + (ended.lifted_at - greatest(ended.stopped_at, c.since))
  FROM (SELECT id, CASE WHEN status = 'processing_invoices' THEN step_since ELSE since END AS since FROM harvest_cycle) c
  WHERE c.id = h.id AND h.ended_at IS NULL AND h.deadline_at IS NOT NULL AND c.since < ended.lifted_at;
  RETURN ended.id;
END
$function$;

CREATE OR REPLACE FUNCTION app.end_suspected(ids uuid[], ended_as text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 UPDATE transfer t SET state = end_suspected.ended_as, ended_at = now()
    FROM chain_wallet w
   WHERE ((w.id = t.wallet_id) AND (w.frozen_because IS NOT NULL) AND (t.id = ANY (end_suspected.ids)) AND (t.state = 'sent'::text) AND (((t.problem = 'foreign_transaction'::text) AND (end_suspected.ended_as = 'cancelled'::text)) OR ((t.problem = 'nothing_moved'::text) AND (end_suspected.ended_as = 'reverted'::text))));
END;

CREATE OR REPLACE FUNCTION app.forget_standby()
 RETURNS timestamp with time zone
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 UPDATE transfer_gate SET standby_forgotten_until = (clock_timestamp() + '01:00:00'::interval)
   RETURNING transfer_gate.standby_forgotten_until;
END;

CREATE OR REPLACE FUNCTION app.freeze_shares()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  NEW.frozen_capital_units := (SELECT s.capital_units FROM pool_sum s WHERE s.pooled_account_id = NEW.pooled_account_id);
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.hold_account(venue text, uid text, since timestamp with time zone, account uuid, pool uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  INSERT INTO account_holder (exchange, acc_uid, held_from, account_id, pooled_account_id)
  SELECT venue, uid, greatest(since, max(h.held_until)), account, pool
  FROM account_holder h WHERE h.exchange = venue AND h.acc_uid = uid
$function$;

CREATE OR REPLACE FUNCTION app.hold_transfer_gate()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  LOCK TABLE transfer_gate IN ROW SHARE MODE;
  -- A statement of its own, which sees what committed while the lock was awaited.
  RETURN coalesce((SELECT g.stopped_since IS NULL FROM transfer_gate g), false);
END
$function$;

CREATE OR REPLACE FUNCTION app.invoice_cell(status text, invoice_type text, exchange text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((1)::bigint << (((array_position(ARRAY['pending'::text, 'paid'::text, 'cancelled'::text], status) - 1) + (3 * (array_position(ARRAY['regular'::text, 'exchange_bot'::text], invoice_type) - 1))) + (6 * CASE WHEN (exchange IS NULL) THEN 0 ELSE array_position(ARRAY['bybit'::text, 'binance'::text, 'okx'::text, 'kucoin'::text, 'hyperliquid'::text], exchange) END)));

CREATE OR REPLACE FUNCTION app.invoices_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text;
  ids uuid[];
  traders uuid[];
  providers uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id), array_agg(trader_id), array_agg(provider_id) INTO ids, traders, providers FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(id), array_agg(trader_id), array_agg(provider_id) INTO ids, traders, providers FROM taken;
  ELSE
    SELECT array_agg(id), array_agg(trader_id), array_agg(provider_id) INTO ids, traders, providers
    FROM (SELECT id, trader_id, provider_id FROM added UNION SELECT id, trader_id, provider_id FROM taken) both_sides;
  END IF;
  IF ids IS NOT NULL THEN
    PERFORM app.refresh_invoice_sums(ARRAY(SELECT DISTINCT unnest(traders)));
    caller_scope := app.open_scope();
    INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
    SELECT 'invoice', w.id, w.trader_id,
      coalesce(array_agg(DISTINCT w.provider_id) FILTER (WHERE w.provider_id IS NOT NULL), '{}')
    FROM (SELECT CASE WHEN cardinality(ids) <= 100 THEN i.id END, i.trader_id, i.provider_id
          FROM unnest(ids, traders, providers) i (id, trader_id, provider_id)) w (id, trader_id, provider_id)
    GROUP BY w.id, w.trader_id;
    PERFORM set_config('copydesk.scope', caller_scope, true);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.is_api()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NOT pg_has_role(CURRENT_USER, 'copydesk_worker'::name, 'MEMBER'::text));

CREATE OR REPLACE FUNCTION app.is_application()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NOT has_schema_privilege(CURRENT_USER, 'app'::text, 'CREATE'::text));

CREATE OR REPLACE FUNCTION app.is_decision(action text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT action = ANY ('{distribution.approved,distribution.declined,order.approved,order.declined,setting.approved,setting.declined,payout_address.released,trader.referrer_released,pool.connection_approved,pool.arrival_decision_confirmed,harvest.approve_valuation,harvest.resolve,payments.lift_confirmed,payments.lift_refused,user.confirmed}'::text[])
$function$;

CREATE OR REPLACE FUNCTION app.is_given_up(i invoice)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN ((i).is_archived AND ((i).status = 'pending'::text) AND ((i).paid_units = (0)::numeric));

CREATE OR REPLACE FUNCTION app.is_held(released_at timestamp with time zone, changed_at timestamp with time zone, hold interval)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((released_at IS NULL) OR (changed_at > (now() - hold)));

CREATE OR REPLACE FUNCTION app.is_independent(approver text, author text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT ((approver <> author) AND (EXISTS ( SELECT
            FROM identity.user_access a
           WHERE (((a.user_id)::text = is_independent.approver) AND a.super AND (a.disabled_at IS NULL) AND (a.confirmed_at IS NOT NULL)))) AND (NOT (EXISTS ( SELECT
            FROM identity.user_access a
           WHERE (((a.user_id)::text = is_independent.author) AND (a.confirmed_at IS NULL) AND (is_independent.approver IN ( SELECT (identity.sponsors_of(a.user_id))::text AS sponsors_of)))))));
END;

CREATE OR REPLACE FUNCTION app.is_operator()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN pg_has_role(CURRENT_USER, 'copydesk_operator'::name, 'MEMBER'::text);

CREATE OR REPLACE FUNCTION app.is_overpaid(amount_units numeric, paid_units numeric)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((paid_units - amount_units) >= ('1000000000000'::bigint)::numeric);

CREATE OR REPLACE FUNCTION app.is_platform_address(wanted text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  found boolean;
BEGIN
  SELECT EXISTS (SELECT FROM trader WHERE lower(deposit_address) = lower(wanted) AND deposit_address IS NOT NULL)
    OR EXISTS (SELECT FROM community WHERE lower(internal_wallet_address) = lower(wanted))
    OR EXISTS (SELECT FROM pooled_account WHERE lower(proxy_address) = lower(wanted))
    OR EXISTS (SELECT FROM pool_member WHERE lower(deposit_address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_wallet WHERE lower(address) = lower(wanted))
    OR EXISTS (SELECT FROM chain_cursor WHERE token_address = lower(wanted)) INTO found;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN found;
END
$function$;

CREATE OR REPLACE FUNCTION app.is_worker()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (((NOT app.is_api()) AND (NOT app.is_operator())) OR (pg_has_role(SESSION_USER, 'copydesk_worker'::name, 'MEMBER'::text) AND (NOT pg_has_role(SESSION_USER, 'copydesk_operator'::name, 'MEMBER'::text))));

CREATE OR REPLACE FUNCTION app.is_write_off(act text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (act = ANY (ARRAY['invoices_paid_off_platform'::text, 'invoices_archived'::text, 'invoices_recalled'::text, 'sale_cancelled'::text, 'sale_discounted'::text]));

CREATE OR REPLACE FUNCTION app.iso(t timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (replace(((t AT TIME ZONE 'UTC'::text))::text, ' '::text, 'T'::text) || 'Z'::text);

CREATE OR REPLACE FUNCTION app.keep_provider_sets()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text;
  added integer[];
BEGIN
  IF app.provider_sets_agree() THEN
    RETURN NULL;
  END IF;
  caller_scope := app.open_scope();
  LOCK TABLE provider_set IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM provider_set v WHERE NOT EXISTS (SELECT FROM app.provider_sets_in_use() u WHERE u = v.provider_ids);
  IF EXISTS (SELECT FROM app.provider_sets_in_use() u WHERE NOT EXISTS (
    SELECT FROM provider_set v WHERE v.provider_ids = u)) THEN
    LOCK TABLE trader_provider, payout_provider IN SHARE MODE;
    WITH made AS (
      INSERT INTO provider_set (provider_ids)
      SELECT u FROM app.provider_sets_in_use() u
      WHERE NOT EXISTS (SELECT FROM provider_set v WHERE v.provider_ids = u)
      ORDER BY u LIMIT greatest(0, 64 - (SELECT count(*) FROM provider_set))
      RETURNING id)
    SELECT array_agg(id) INTO added FROM made;
    PERFORM app.refresh_trader_sets(NULL, added) WHERE added IS NOT NULL;
    PERFORM app.refresh_payout_sets(NULL, added) WHERE added IS NOT NULL;
    ANALYZE trader_in_set, payout_in_set;
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.lease_floor()
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RETURN ('x' || lpad(left(pg_walfile_name(pg_current_wal_lsn()), 8), 16, '0'))::bit(64)::bigint << 32;
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR insufficient_privilege THEN
  RETURN 0;
END
$function$;

CREATE OR REPLACE FUNCTION app.lift_stop(lift uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  asked transfer_stop_lift;
BEGIN
  SELECT l.* INTO asked FROM transfer_stop_lift l JOIN transfer_stop s ON s.id = l.stop_id
  WHERE l.id = lift AND l.state = 'confirmed' AND s.lifted_at IS NULL FOR UPDATE OF l;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF asked.decided_by_id = asked.requested_by_id OR (
      SELECT count(*) FROM identity.user_access a
      WHERE a.user_id::text IN (asked.requested_by_id, asked.decided_by_id) AND a.super AND a.disabled_at IS NULL) <> 2
  THEN
    RAISE EXCEPTION 'a stop is lifted by two super admins' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE transfer_stop_lift SET state = 'lifted' WHERE id = lift;
  RETURN app.end_stop('console', asked.reason, asked.decided_by_id, asked.decided_by);
END
$function$;

CREATE OR REPLACE FUNCTION app.link_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  community uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.community_id ELSE NEW.community_id END;
  provider uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.provider_id ELSE NEW.provider_id END;
BEGIN
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids) VALUES ('community', community, ARRAY[provider]);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.lock_audit()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  LOCK TABLE audit_lock IN EXCLUSIVE MODE;
  PERFORM set_config('idle_in_transaction_session_timeout', '5000', true);
  IF current_setting('server_version_num')::int >= 170000 THEN
    PERFORM set_config('transaction_timeout', '10000', true);
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION app.lock_balances(account_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM FROM ledger_balance WHERE account_id = ANY (account_ids) ORDER BY account_id FOR NO KEY UPDATE;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.make_partitions()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '500ms'
AS $function$
DECLARE
  parent text;
  starts date;
  made int := 0;
  partition text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('copydesk.partitions'));
  FOR parent, starts IN
    SELECT p.parent, max(p.until)::date FROM app.partitions() p GROUP BY 1 ORDER BY 1
  LOOP
    WHILE starts <= date_trunc('month', now()) + interval '3 months' LOOP
      partition := parent || to_char(starts, '_YYYY_MM');
      EXECUTE format('CREATE TABLE partition.%I (LIKE public.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)',
        partition, parent);
      EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION partition.%I FOR VALUES FROM (%L) TO (%L)',
        parent, partition, starts, (starts + interval '1 month')::date);
      starts := starts + interval '1 month';
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$function$;

CREATE OR REPLACE FUNCTION app.may_move_cycle(was_status text, was_step text, was_failed_from text, status text, step text, failed_from text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((failed_from IS NULL) AND CASE WHEN (was_status = 'failed'::text) THEN (((status = was_failed_from) AND (step = was_step)) OR ((was_step = 'crediting'::text) AND (status = 'stopping_harvesting'::text) AND (step = ANY (ARRAY['planning'::text, 'moving'::text, 'resuming'::text])))) ELSE ((((((((((was_status = 'stopped'::text) AND (was_step = 'trading'::text) AND (status = 'starting_harvesting'::text) AND (step = 'pausing'::text)) OR ((was_status = 'starting_harvesting'::text) AND (was_step = 'pausing'::text) AND (status = 'starting_harvesting'::text) AND (step = 'checking'::text))) OR ((was_status = 'starting_harvesting'::text) AND (was_step = 'pausing'::text) AND (status = 'stopped'::text) AND (step = 'trading'::text))) OR ((was_status = 'starting_harvesting'::text) AND (was_step = 'checking'::text) AND (status = 'stopped'::text) AND (step = 'trading'::text))) OR ((was_status = 'awaiting_bybit_withdrawal'::text) AND (was_step = 'withdrawing'::text) AND (status = 'stopped'::text) AND (step = 'trading'::text))) OR ((was_status = 'harvesting'::text) AND (was_step = 'open'::text) AND (status = 'harvesting'::text) AND (step = 'closing'::text))) OR ((was_status = 'harvesting'::text) AND (was_step = 'open'::text) AND (status = 'stopping_harvesting'::text) AND (step = 'planning'::text))) OR ((was_status = 'harvesting'::text) AND (was_step = 'closing'::text) AND (status = 'stopping_harvesting'::text) AND (step = 'planning'::text))) OR ((was_status = 'stopping_harvesting'::text) AND (was_step = 'resuming'::text) AND (status = 'stopped'::text) AND (step = 'trading'::text))) END);

CREATE OR REPLACE FUNCTION app.member_address_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT app.bulk_loading() THEN
    PERFORM app.refresh_trader_text(ARRAY[NEW.trader_id]);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.message_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
  VALUES (
    CASE WHEN NEW.invoice_id IS NULL THEN 'trader' ELSE 'invoice' END,
    coalesce(NEW.invoice_id, NEW.trader_id),
    CASE WHEN NEW.invoice_id IS NOT NULL THEN NEW.trader_id END,
    CASE WHEN NEW.provider_id IS NULL THEN '{}'::uuid[] ELSE ARRAY[NEW.provider_id] END);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.name_close()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  SELECT a.exchange, a.acc_uid INTO NEW.venue, NEW.venue_account FROM exchange_account a WHERE a.id = NEW.account_id;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.new_order_waits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.requested_at := now();
  IF (NEW.state = 'approved') <> (cardinality(NEW.needs) = 0) OR NEW.state NOT IN ('approved', 'awaiting_approval')
    OR NEW.decided_at IS NOT NULL THEN
    RAISE EXCEPTION 'an order that needs another person waits for one' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.note_end_of_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.ended_at := CASE WHEN NEW.cancelled_because IS NOT NULL THEN coalesce(OLD.ended_at, now()) END;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.note_payout_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO payout_address_change AS c (owner_kind, owner_id, address, previous_address, changed_by_id)
  VALUES (TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[1], to_jsonb(NEW) ->> TG_ARGV[2], to_jsonb(OLD) ->> TG_ARGV[2],
    coalesce(substring(current_setting('copydesk.caller', true) FROM '^[^:]+:(.+)$'), 'unknown'))
  ON CONFLICT (owner_kind, owner_id) DO UPDATE SET id = gen_random_uuid(), address = excluded.address,
    previous_address = excluded.previous_address, changed_at = now(), changed_by_id = excluded.changed_by_id,
    released_at = NULL, released_by_id = NULL, released_by = NULL;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.note_telegram_id()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.telegram_set_at := now();
  ELSIF NEW.telegram_user_id IS DISTINCT FROM OLD.telegram_user_id THEN
    NEW.telegram_set_at := now();
  ELSE
    RAISE EXCEPTION 'the database writes when a Telegram id was set' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.note_valued()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  NEW.valued_at := now();
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.on_chain_units(paid numeric, off_platform numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN GREATEST((paid - off_platform), (0)::numeric);

CREATE OR REPLACE FUNCTION app.on_its_way(traders uuid[])
 RETURNS TABLE(trader_id uuid, units numeric, since timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT t.trader_id,
     sum(t.amount_units) AS sum,
     min(t.seen_at) AS min
    FROM incoming_transfer t
   WHERE ((t.trader_id = ANY (on_its_way.traders)) AND (t.amount_units >= ('1000000000000000000'::bigint)::numeric) AND (t.seen_at > (now() - '00:15:00'::interval)) AND (( SELECT count(*) AS count
            FROM payment p
           WHERE ((p.trader_id = t.trader_id) AND (p.received_at > (now() - '01:00:00'::interval)))) < 3))
   GROUP BY t.trader_id;
END;

CREATE OR REPLACE FUNCTION app.open_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO ledger_balance (account_id, allow_negative) SELECT id, allow_negative FROM added;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.open_scope()
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  previous text := coalesce(current_setting('copydesk.scope', true), '');
BEGIN
  PERFORM set_config('copydesk.scope', 'all', true);
  RETURN previous;
END
$function$;

CREATE OR REPLACE FUNCTION app.order_consolidations(of_chain integer, token text, ids uuid[], payables uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.order_credit_return(of_chain integer, token text, new_id uuid, ordered uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  credit record;
BEGIN
  SELECT p.id, p.trader_id, l.amount_units AS units, l.to_address AS recipient INTO credit
  FROM money_order o JOIN money_order_line l ON l.order_id = o.id JOIN payment p ON p.id = l.subject_id
  WHERE o.id = ordered AND o.act = 'credit_returned' AND o.state = 'approved'
    AND greatest(o.requested_at, o.decided_at) = now() AND p.open_units = l.amount_units
  FOR NO KEY UPDATE OF p;
  INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
  SELECT new_id, 'credit_return', w.id, t.community_id, t.external_wallet_address, token, credit.units
  FROM trader t JOIN chain_wallet w ON w.chain_id = of_chain AND w.role = 'deposit' AND w.owner_id = t.id
  WHERE t.id = credit.trader_id AND lower(t.external_wallet_address) = lower(credit.recipient);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'credit is sent back by an order of all of it, to the address of its trader'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  INSERT INTO credit_return (transfer_id, payment_id, order_id, amount_units)
  VALUES (new_id, credit.id, ordered, credit.units);
  UPDATE payment SET open_units = open_units - credit.units WHERE id = credit.id;
END
$function$;

CREATE OR REPLACE FUNCTION app.order_payouts(of_chain integer, token text, ids uuid[], payouts uuid[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 INSERT INTO transfer (id, kind, wallet_id, community_id, payout_id, to_address, token_address, amount_units)  SELECT n.id,
             'distribute',
             w.id,
             o.community_id,
             o.id,
             o.recipient_address,
             order_payouts.token AS token,
             o.amount_units
            FROM (((UNNEST(order_payouts.ids, order_payouts.payouts) n(id, payout_id)
              JOIN payout o ON ((o.id = n.payout_id)))
              JOIN distribution d ON (((d.id = o.distribution_id) AND (d.state = 'approved'::text))))
              JOIN chain_wallet w ON (((w.chain_id = order_payouts.of_chain) AND (w.role = 'community'::text) AND (w.owner_id = o.community_id))));
END;

CREATE OR REPLACE FUNCTION app.order_pool_funding(of_chain integer, token text, new_id uuid, cycle uuid, number integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.order_pool_return(of_chain integer, token text, new_id uuid, deposit uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.order_sending_back(of_chain integer, token text, new_id uuid, decision uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)  SELECT order_sending_back.new_id AS new_id,
             'pool_send_back',
             w.id,
             p.community_id,
             e.to_address,
             order_sending_back.token AS token,
             e.amount_units
            FROM (((pool_arrival_decision e
              JOIN pool_arrival a ON ((a.id = e.arrival_id)))
              JOIN pooled_account p ON ((p.id = a.pooled_account_id)))
              JOIN chain_wallet w ON (((w.chain_id = order_sending_back.of_chain) AND (w.role = 'pool_proxy'::text) AND (w.owner_id = p.id))))
           WHERE ((e.id = order_sending_back.decision) AND (e.kind = 'sent_back'::text));
END;

CREATE OR REPLACE FUNCTION app.parted_words(value text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT to_tsvector('pg_catalog.simple', translate(replace(lower(left(value, 50000) COLLATE app.names) COLLATE "C",
    '\n', ' '), $chars$._-/@:\"{}[],<>()=&|!*'+%$#~;?^`$chars$, repeat(' ', 32)))
$function$;

CREATE OR REPLACE FUNCTION app.partitioned()
 RETURNS TABLE(name text, kept interval)
 LANGUAGE sql
 IMMUTABLE
BEGIN ATOMIC
 SELECT t.name,
     t.kept
    FROM ( VALUES ('equity_snapshot'::text,'400 days'::interval)) t(name, kept);
END;

CREATE OR REPLACE FUNCTION app.partitions()
 RETURNS TABLE(parent text, name text, starts timestamp with time zone, until timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
  SELECT t.name, c.relname::text, substring(b.bounds FROM $r$FROM \('([^']+)'\)$r$)::timestamptz,
    substring(b.bounds FROM $r$TO \('([^']+)'\)$r$)::timestamptz
  FROM app.partitioned() t
  JOIN pg_inherits i ON i.inhparent = to_regclass('public.' || quote_ident(t.name))
  JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds) b
$function$;

CREATE OR REPLACE FUNCTION app.payables_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM added WHERE payout_id IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM taken WHERE payout_id IS NOT NULL;
  ELSE
    SELECT array_agg(DISTINCT side.payout_id) INTO touched
    FROM added a JOIN taken t ON t.id = a.id
    CROSS JOIN LATERAL (VALUES (a.payout_id), (t.payout_id)) side (payout_id)
    WHERE side.payout_id IS NOT NULL
      AND (a.payout_id, a.provider_id, a.amount_units)
        IS DISTINCT FROM (t.payout_id, t.provider_id, t.amount_units);
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.payouts_touched(touched);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.payments_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, trader_id, provider_ids)
  SELECT 'payment', id, trader_id, '{}'::uuid[] FROM added;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.payments_received()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  -- In one order, so that two payments of the same days do not wait for each other in a circle.
  INSERT INTO community_day AS d (community_id, provider_id, day, received_units)
  SELECT i.community_id, a.provider_id, app.utc_day(a.received_at), sum(a.amount_units)
  FROM added a JOIN invoice i ON i.id = a.invoice_id GROUP BY 1, 2, 3 ORDER BY 1, 3, 2
  ON CONFLICT (community_id, day, provider_id)
  DO UPDATE SET received_units = d.received_units + excluded.received_units;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.payout_parts_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM added WHERE is_shared;
  ELSE
    SELECT array_agg(DISTINCT payout_id) INTO touched FROM taken WHERE is_shared;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_payout_sets(touched, NULL);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.payouts_touched(payout_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  SELECT jsonb_object_agg(payout_id, providers) INTO seen_before
  FROM (SELECT payout_id, jsonb_agg(provider_id) AS providers FROM payout_provider
        WHERE payout_id = ANY (payout_ids) AND provider_id IS NOT NULL GROUP BY payout_id) s;
  PERFORM app.refresh_payouts(payout_ids);
  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'payout', w.id, ARRAY(
    SELECT provider_id FROM payout_provider WHERE payout_id = w.id AND provider_id IS NOT NULL
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(payout_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.payouts_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(id) INTO touched FROM added;
  IF touched IS NOT NULL THEN
    PERFORM app.payouts_touched(touched);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.pool_account_known()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE account_holder SET held_until = now()
  WHERE pooled_account_id = NEW.id AND held_until IS NULL AND held_from < now();
  DELETE FROM account_holder WHERE pooled_account_id = NEW.id AND held_until IS NULL;
  IF NEW.bybit_uid IS NOT NULL AND (NEW.is_active OR NOT NEW.is_approved) THEN
    -- Switched on again, it holds the account from now on: what happened there meanwhile is not its own.
    PERFORM app.hold_account('bybit', NEW.bybit_uid,
      CASE WHEN TG_OP = 'UPDATE' AND NEW.bybit_uid IS NOT DISTINCT FROM OLD.bybit_uid THEN now() ELSE NEW.created_at END,
      NULL, NEW.id);
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.pool_added()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO pool_sum (pooled_account_id) VALUES (NEW.id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.pool_capital_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  changed uuid[] := ARRAY(SELECT DISTINCT n.trader_id FROM added n JOIN taken o ON o.id = n.id
    WHERE n.capital_units <> o.capital_units);
BEGIN
  IF changed <> '{}' AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_traders(changed);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.pool_members_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE pool_sum s
  SET capital_units = s.capital_units + d.capital, pending_units = s.pending_units + d.pending,
    member_count = s.member_count + d.members, pending_count = s.pending_count + d.pending_members
  FROM (
    SELECT n.pooled_account_id, sum(n.capital_units - o.capital_units) AS capital,
      sum(n.pending_units - o.pending_units) AS pending,
      sum((n.capital_units + n.pending_units > 0)::int - (o.capital_units + o.pending_units > 0)::int)::int AS members,
      sum((n.pending_units > 0)::int - (o.pending_units > 0)::int)::int AS pending_members
    FROM added n JOIN taken o ON o.id = n.id GROUP BY n.pooled_account_id) d
  WHERE s.pooled_account_id = d.pooled_account_id
    AND (d.capital, d.pending, d.members, d.pending_members) IS DISTINCT FROM (0, 0, 0, 0);
  -- A change of the providers locks the member first, so neither of the two misses the other.
  PERFORM app.add_to_provider_sums(ARRAY(SELECT ROW(n.pooled_account_id, p.provider_id, p.is_shared,
      n.capital_units - o.capital_units, n.pending_units - o.pending_units,
      (n.capital_units + n.pending_units > 0)::int - (o.capital_units + o.pending_units > 0)::int)::pool_provider_sum
    FROM added n JOIN taken o ON o.id = n.id JOIN trader_provider p ON p.trader_id = n.trader_id
    WHERE (n.capital_units, n.pending_units) <> (o.capital_units, o.pending_units)));
  PERFORM app.add_to_set_sums(ARRAY(SELECT ROW(s.set_id, n.pooled_account_id,
      n.capital_units - o.capital_units, n.pending_units - o.pending_units,
      (n.capital_units + n.pending_units > 0)::int - (o.capital_units + o.pending_units > 0)::int)::pool_set_sum
    FROM added n JOIN taken o ON o.id = n.id JOIN trader_in_set s ON s.trader_id = n.trader_id
    WHERE (n.capital_units, n.pending_units) <> (o.capital_units, o.pending_units)));
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids)
    SELECT 'pool', n.pooled_account_id, array_agg(DISTINCT p.provider_id)
    FROM (SELECT DISTINCT pooled_account_id FROM added) n JOIN pooled_account a ON a.id = n.pooled_account_id
    JOIN community_provider p ON p.community_id = a.community_id GROUP BY n.pooled_account_id;
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.pool_providers_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text;
  traders uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    traders := ARRAY(SELECT trader_id FROM added);
  ELSIF TG_OP = 'DELETE' THEN
    traders := ARRAY(SELECT trader_id FROM taken);
  ELSE
    traders := ARRAY(SELECT n.trader_id FROM added n JOIN taken o ON (o.trader_id, o.provider_id) = (n.trader_id, n.provider_id)
      WHERE n.is_shared <> o.is_shared);
  END IF;
  IF traders = '{}' THEN
    RETURN NULL;
  END IF;
  caller_scope := app.open_scope();
  PERFORM FROM pool_member WHERE trader_id = ANY (traders) ORDER BY id FOR UPDATE;
  IF TG_OP <> 'INSERT' THEN
    PERFORM app.add_to_provider_sums(ARRAY(SELECT ROW(m.pooled_account_id, o.provider_id, o.is_shared,
        -m.capital_units, -m.pending_units, -(m.capital_units + m.pending_units > 0)::int)::pool_provider_sum
      FROM taken o JOIN pool_member m ON m.trader_id = o.trader_id
      WHERE o.trader_id = ANY (traders) AND m.capital_units + m.pending_units > 0));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM app.add_to_provider_sums(ARRAY(SELECT ROW(m.pooled_account_id, n.provider_id, n.is_shared,
        m.capital_units, m.pending_units, (m.capital_units + m.pending_units > 0)::int)::pool_provider_sum
      FROM added n JOIN pool_member m ON m.trader_id = n.trader_id
      WHERE n.trader_id = ANY (traders) AND m.capital_units + m.pending_units > 0));
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.pool_sets_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM FROM pool_member WHERE trader_id IN (SELECT trader_id FROM added) ORDER BY id FOR UPDATE;
    PERFORM app.add_to_set_sums(ARRAY(SELECT ROW(n.set_id, m.pooled_account_id, m.capital_units, m.pending_units,
        (m.capital_units + m.pending_units > 0)::int)::pool_set_sum
      FROM added n JOIN pool_member m ON m.trader_id = n.trader_id WHERE m.capital_units + m.pending_units > 0));
  ELSE
    PERFORM FROM pool_member WHERE trader_id IN (SELECT trader_id FROM taken) ORDER BY id FOR UPDATE;
    PERFORM app.add_to_set_sums(ARRAY(SELECT ROW(o.set_id, m.pooled_account_id, -m.capital_units, -m.pending_units,
        -(m.capital_units + m.pending_units > 0)::int)::pool_set_sum
      FROM taken o JOIN pool_member m ON m.trader_id = o.trader_id WHERE m.capital_units + m.pending_units > 0));
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.pool_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  pool uuid := CASE TG_TABLE_NAME WHEN 'pooled_account' THEN NEW.id ELSE (to_jsonb(NEW) ->> 'pooled_account_id')::uuid END;
BEGIN
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids)
    SELECT 'pool', pool, coalesce(array_agg(p.provider_id) FILTER (WHERE p.provider_id IS NOT NULL), '{}')
    FROM pooled_account a LEFT JOIN community_provider p ON p.community_id = a.community_id WHERE a.id = pool;
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.post_to_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.post_to_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.provider_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (string_to_array(NULLIF(current_setting('copydesk.provider_ids'::text, true), ''::text), ','::text))::uuid[];

CREATE OR REPLACE FUNCTION app.provider_rate_set()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO commission_rate (provider_id, rate, in_force_from)
  VALUES (NEW.id, NEW.minimum_commission_rate, CASE TG_OP WHEN 'INSERT' THEN '-infinity'::timestamptz ELSE clock_timestamp() END)
  ON CONFLICT (provider_id, in_force_from) WHERE provider_id IS NOT NULL DO UPDATE SET rate = excluded.rate;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.provider_set()
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$SELECT id FROM provider_set WHERE provider_ids = ARRAY(SELECT DISTINCT unnest(app.provider_ids()) ORDER BY 1)$function$;

CREATE OR REPLACE FUNCTION app.provider_sets_agree()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  agree boolean;
BEGIN
  SELECT NOT EXISTS (
    (SELECT u FROM app.provider_sets_in_use() u EXCEPT SELECT provider_ids FROM provider_set)
    UNION ALL
    (SELECT provider_ids FROM provider_set EXCEPT SELECT u FROM app.provider_sets_in_use() u)) INTO agree;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN agree;
END
$function$;

CREATE OR REPLACE FUNCTION app.provider_sets_in_use()
 RETURNS SETOF uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT DISTINCT ids FROM identity.user_access a
  CROSS JOIN LATERAL (SELECT ARRAY(SELECT DISTINCT unnest(a.provider_ids) ORDER BY 1) AS ids) sorted
  WHERE a.admin AND NOT a.super AND a.disabled_at IS NULL AND cardinality(ids) > 1
$function$;

CREATE OR REPLACE FUNCTION app.read_audit_words(most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  added integer;
BEGIN
  INSERT INTO audit_text (seq, position, words)
    SELECT e.seq, n.position, app.audit_words(e)
    FROM app.unread_seals() n JOIN audit_entry e ON e.seq = n.seq
    ORDER BY n.position LIMIT most
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  RETURN added;
END
$function$;

CREATE OR REPLACE FUNCTION app.recall_invoices(recalled uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  freed integer;
BEGIN
  PERFORM FROM invoice i WHERE i.id = ANY (recalled) ORDER BY i.id FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM invoice i WHERE i.id = ANY (recalled) AND app.recall_refusal(i) IS NULL AND EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = i.id AND l.amount_units >= i.amount_units AND o.act = 'invoices_recalled'
        AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now()))
    <> cardinality(recalled) THEN
    RAISE EXCEPTION 'an unpaid invoice is recalled by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  INSERT INTO recalled_position (invoice_id, position_id, provider_id, closed_pnl)
  SELECT p.invoice_id, p.id, p.provider_id, p.closed_pnl FROM closed_position p WHERE p.invoice_id = ANY (recalled);
  UPDATE invoice i SET status = 'cancelled', recalled_at = now(), updated_at = now() WHERE i.id = ANY (recalled);
  UPDATE closed_position p SET invoice_id = NULL WHERE p.invoice_id = ANY (recalled);
  GET DIAGNOSTICS freed = ROW_COUNT;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN freed;
END
$function$;

CREATE OR REPLACE FUNCTION app.recall_refusal(i invoice)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT
         CASE
             WHEN (((i).invoice_type <> 'regular'::text) OR ((i).harvest_cycle_id IS NOT NULL)) THEN 'other_kind'::text
             WHEN ((i).status = 'cancelled'::text) THEN 'cancelled'::text
             WHEN (((i).status = 'paid'::text) OR ((i).paid_units > (0)::numeric) OR ((i).off_platform_units > (0)::numeric)) THEN 'paid'::text
             WHEN (i).is_archived THEN 'archived'::text
             WHEN (NOT (EXISTS ( SELECT
                FROM closed_position p
               WHERE (p.invoice_id = (recall_refusal.i).id)))) THEN 'imported'::text
             WHEN ((EXISTS ( SELECT
                FROM closed_position p
               WHERE ((p.invoice_id = (recall_refusal.i).id) AND ((p.corrected_pnl IS NOT NULL) OR (p.double_of IS NOT NULL) OR (EXISTS ( SELECT
                        FROM closed_position d
                       WHERE (d.double_of = p.id))))))) OR (EXISTS ( SELECT
                FROM invoice_deduction d
               WHERE (d.invoice_id = (recall_refusal.i).id)))) THEN 'corrected'::text
             WHEN (EXISTS ( SELECT
                FROM app.on_its_way(ARRAY[(recall_refusal.i).trader_id]) on_its_way(trader_id, units, since))) THEN 'payment_on_its_way'::text
             ELSE NULL::text
         END AS "case";
END;

CREATE OR REPLACE FUNCTION app.record_audit(numbers bigint[], entry_at timestamp with time zone, entry_actor_kind text, entry_actor_id text, entry_actor_name text, entry_request_id text, actions text[], target_kinds text[], target_ids text[], befores jsonb[], afters jsonb[], entry_keyed_by text, own_hashes bytea[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF (SELECT max(n) FROM unnest(numbers) n) > (SELECT last_value FROM audit_number) THEN
    RAISE EXCEPTION 'the audit has not given this number' USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, request_id, action, target_kind, target_id,
    before, after, hash_version, keyed_by, own_hash)
  SELECT n.number, entry_at, entry_actor_kind, entry_actor_id, entry_actor_name, entry_request_id, n.action,
    n.target_kind, n.target_id, n.before, n.after, 3, entry_keyed_by, n.own_hash
  FROM unnest(numbers, actions, target_kinds, target_ids, befores, afters, own_hashes)
    AS n (number, action, target_kind, target_id, before, after, own_hash);
  INSERT INTO audit_unsealed (seq) SELECT * FROM unnest(numbers);
  INSERT INTO audit_order (order_id, seq)
    SELECT app.audited_order(n.action, n.after), n.number FROM unnest(actions, afters, numbers) AS n (action, after, number)
    WHERE app.audited_order(n.action, n.after) IS NOT NULL;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.reference_compared()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  NEW.reference_clash := TG_OP = 'UPDATE' AND OLD.reference_clash AND NEW.reference_clash
    AND NEW.reference_number = OLD.reference_number;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.reference_freed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE trader SET reference_clash = false
  WHERE id = (SELECT t.id FROM trader t WHERE t.reference_sort = OLD.reference_sort AND t.reference_clash
    ORDER BY t.created_at, t.id LIMIT 1)
    AND NOT EXISTS (SELECT FROM trader t WHERE t.reference_sort = OLD.reference_sort AND t.reference_number IS NOT NULL
      AND NOT t.reference_clash);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.reference_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE invoice_part SET reference = nullif(NEW.reference_number, 'unknown') WHERE trader_id = NEW.id;
  UPDATE invoice_group SET reference = nullif(NEW.reference_number, 'unknown') WHERE trader_id = NEW.id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.refresh_invoice_sums(trader_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM invoice_part WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_part (trader_id, provider_id, community_id, exchange, invoice_type, status, is_archived,
    reference, invoices, part_paid, overpaid, amount_units, paid_units, on_chain_units, off_platform_units,
    last_created, last_updated, first_created, min_amount, max_amount, first_due, last_due)
  SELECT i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived,
    -- A reference number that reads like the name of the group of those without one belongs to that group.
    nullif(min(t.reference_number), 'unknown'), count(*)::int,
    count(*) FILTER (WHERE i.status = 'pending' AND i.paid_units > 0 AND i.paid_units < i.amount_units)::int,
    count(*) FILTER (WHERE app.is_overpaid(i.amount_units, i.paid_units))::int,
    sum(i.amount_units), sum(i.paid_units), sum(app.on_chain_units(i.paid_units, i.off_platform_units)),
    sum(app.settled_elsewhere(i.status, i.settled_by, i.amount_units, i.paid_units, i.off_platform_units)),
    max(i.created_at), max(i.updated_at), min(i.created_at), min(i.amount_units), max(i.amount_units),
    CASE WHEN i.status = 'pending' AND NOT i.is_archived THEN min(i.due_at) END,
    CASE WHEN i.status = 'pending' AND NOT i.is_archived THEN max(i.due_at) END
  FROM invoice i JOIN trader t ON t.id = i.trader_id
  WHERE i.trader_id = ANY (trader_ids)
  GROUP BY i.trader_id, i.provider_id, i.community_id, i.exchange, i.invoice_type, i.status, i.is_archived;

  DELETE FROM invoice_group WHERE trader_id = ANY (trader_ids);
  INSERT INTO invoice_group (trader_id, provider_id, is_archived, is_shared, reference, invoices, whole_invoices,
    unpaid, pending, part_paid, overpaid, amount_units, paid_units, last_created, last_updated, cells, first_created,
    min_amount, max_amount, unpaid_first_created, unpaid_last_created, unpaid_min_amount, unpaid_max_amount,
    pending_first_created, pending_last_created, pending_min_amount, pending_max_amount, first_due, last_due)
  SELECT p.trader_id, seen.provider_id, p.is_archived,
    count(seen.provider_id) OVER (PARTITION BY p.trader_id, p.is_archived) > 1,
    min(p.reference), sum(p.invoices)::int,
    max(CASE WHEN seen.provider_id IS NULL THEN sum(p.invoices) END) OVER (PARTITION BY p.trader_id, p.is_archived)::int,
    coalesce(sum(p.invoices) FILTER (WHERE p.status <> 'paid'), 0)::int,
    coalesce(sum(p.invoices) FILTER (WHERE p.status = 'pending'), 0)::int,
    sum(p.part_paid)::int, sum(p.overpaid)::int,
    sum(p.amount_units), sum(p.paid_units), max(p.last_created), max(p.last_updated),
    bit_or(app.invoice_cell(p.status, p.invoice_type, p.exchange)), min(p.first_created), min(p.min_amount),
    max(p.max_amount), min(p.first_created) FILTER (WHERE p.status <> 'paid'),
    max(p.last_created) FILTER (WHERE p.status <> 'paid'), min(p.min_amount) FILTER (WHERE p.status <> 'paid'),
    max(p.max_amount) FILTER (WHERE p.status <> 'paid'), min(p.first_created) FILTER (WHERE p.status = 'pending'),
    max(p.last_created) FILTER (WHERE p.status = 'pending'), min(p.min_amount) FILTER (WHERE p.status = 'pending'),
    max(p.max_amount) FILTER (WHERE p.status = 'pending'), min(p.first_due), max(p.last_due)
  FROM invoice_part p
  CROSS JOIN LATERAL (SELECT NULL::uuid AS provider_id
    UNION ALL SELECT p.provider_id WHERE p.provider_id IS NOT NULL) seen
  WHERE p.trader_id = ANY (trader_ids)
  GROUP BY p.trader_id, seen.provider_id, p.is_archived;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.refresh_payout_sets(payout_ids uuid[], set_ids integer[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM payout_in_set s
  WHERE s.payout_id = ANY (payout_ids) AND (set_ids IS NULL OR s.set_id = ANY (set_ids));
  INSERT INTO payout_in_set (set_id, payout_id, community_id, recipient_type, status, amount_units, created_at)
  SELECT v.id, s.payout_id, s.community_id, s.recipient_type, s.status, sum(s.amount_units), s.created_at
  FROM payout_provider s JOIN provider_set v ON s.provider_id = ANY (v.provider_ids)
  WHERE s.is_shared AND (payout_ids IS NULL OR s.payout_id = ANY (payout_ids))
    AND (set_ids IS NULL OR v.id = ANY (set_ids))
  GROUP BY v.id, s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.refresh_payouts(payout_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  cells jsonb;
BEGIN
  PERFORM FROM community WHERE id IN (SELECT community_id FROM payout WHERE id = ANY (payout_ids)
    UNION SELECT community_id FROM payout_provider WHERE payout_id = ANY (payout_ids)) ORDER BY id FOR NO KEY UPDATE;

  -- Where they were counted before and where they are counted from now on.
  SELECT coalesce(jsonb_agg(jsonb_build_object('community_id', c.community_id, 'recipient_type', c.recipient_type,
    'day', c.day)), '[]') INTO cells
  FROM (
    SELECT community_id, recipient_type, app.utc_day(created_at) AS day FROM payout_provider
    WHERE payout_id = ANY (payout_ids)
    UNION SELECT community_id, recipient_type, app.utc_day(created_at) FROM payout
    WHERE id = ANY (payout_ids)) c;

  DELETE FROM payout_provider WHERE payout_id = ANY (payout_ids);
  INSERT INTO payout_provider (payout_id, provider_id, provider_ids, community_id, recipient_type, status, amount_units,
    created_at)
  SELECT o.id, part.provider_id, CASE WHEN part.provider_id IS NULL THEN '{}' ELSE part.provider_ids END,
    o.community_id, o.recipient_type, CASE WHEN o.problem = 'sent_again' THEN 'replaced' ELSE o.status END,
    part.units, o.created_at
  FROM payout o
  CROSS JOIN LATERAL (
    SELECT NULL::uuid AS provider_id, NULL::uuid[] AS provider_ids, o.amount_units AS units
    UNION ALL
    SELECT y.provider_id, array_agg(y.provider_id) OVER (ORDER BY y.provider_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), sum(y.amount_units)
    FROM payable y WHERE y.payout_id = o.id AND y.provider_id IS NOT NULL GROUP BY y.provider_id) part
  WHERE o.id = ANY (payout_ids);

  DELETE FROM payout_sum s
  USING jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type AND s.grain = 'day' AND s.period = c.day;
  INSERT INTO payout_sum (grain, period, provider_id, provider_ids, community_id, recipient_type, status, payouts,
    amount_units, first_created, last_created)
  SELECT 'day', c.day, s.provider_id, s.provider_ids, c.community_id, c.recipient_type, s.status, s.payouts,
    s.units, s.first_created, s.last_created
  FROM jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  CROSS JOIN LATERAL (
    SELECT s.provider_id, s.provider_ids, s.status, count(*)::int AS payouts, sum(s.amount_units) AS units,
      min(s.created_at) AS first_created, max(s.created_at) AS last_created
    FROM payout_provider s
    WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type
      AND s.created_at >= c.day::timestamp AT TIME ZONE 'UTC'
      AND s.created_at < (c.day + 1)::timestamp AT TIME ZONE 'UTC'
    GROUP BY s.provider_id, s.provider_ids, s.status) s;

  DELETE FROM payout_sum s
  USING jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)
  WHERE s.community_id = c.community_id AND s.recipient_type = c.recipient_type AND s.grain = 'month'
    AND s.period = date_trunc('month', c.day)::date;
  INSERT INTO payout_sum (grain, period, provider_id, provider_ids, community_id, recipient_type, status, payouts,
    amount_units, first_created, last_created)
  SELECT 'month', m.month, s.provider_id, s.provider_ids, m.community_id, m.recipient_type, s.status, s.payouts,
    s.units, s.first_created, s.last_created
  FROM (SELECT DISTINCT c.community_id, c.recipient_type, date_trunc('month', c.day)::date AS month
        FROM jsonb_to_recordset(cells) c (community_id uuid, recipient_type text, day date)) m
  CROSS JOIN LATERAL (
    SELECT s.provider_id, s.provider_ids, s.status, sum(s.payouts)::int AS payouts, sum(s.amount_units) AS units,
      min(s.first_created) AS first_created, max(s.last_created) AS last_created
    FROM payout_sum s
    WHERE s.community_id = m.community_id AND s.recipient_type = m.recipient_type AND s.grain = 'day'
      AND s.period >= m.month AND s.period < (m.month + interval '1 month')::date
    GROUP BY s.provider_id, s.provider_ids, s.status) s;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.refresh_trader_sets(trader_ids uuid[], set_ids integer[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM trader_in_set s
  USING provider_set v
  WHERE v.id = s.set_id AND (set_ids IS NULL OR s.set_id = ANY (set_ids)) AND s.trader_id = ANY (trader_ids)
    AND NOT EXISTS (SELECT FROM trader_provider p
      WHERE p.trader_id = s.trader_id AND p.is_shared AND p.provider_id = ANY (v.provider_ids));
  INSERT INTO trader_in_set AS s (set_id, trader_id, community_id, aum, aum_read_at, tab, account_count, reference_sort,
    handle_sort, created_at)
  -- Each row of a trader has its whole pool capital.
  SELECT v.id, p.trader_id, (array_agg(p.community_id))[1], sum(p.aum - p.pool_capital) + max(p.pool_capital),
    min(p.aum_read_at), max(p.tab), sum(p.account_count), min(p.reference_sort), min(p.handle_sort), min(p.created_at)
  FROM trader_provider p JOIN provider_set v ON p.provider_id = ANY (v.provider_ids)
  WHERE p.is_shared AND (trader_ids IS NULL OR p.trader_id = ANY (trader_ids))
    AND (set_ids IS NULL OR v.id = ANY (set_ids))
  GROUP BY v.id, p.trader_id
  ON CONFLICT (set_id, trader_id) DO UPDATE
  SET community_id = excluded.community_id, aum = excluded.aum, aum_read_at = excluded.aum_read_at, tab = excluded.tab,
    account_count = excluded.account_count, reference_sort = excluded.reference_sort, handle_sort = excluded.handle_sort, created_at = excluded.created_at
  WHERE (s.community_id, s.aum, s.aum_read_at, s.tab, s.account_count, s.reference_sort, s.handle_sort,
    s.created_at)
    IS DISTINCT FROM (excluded.community_id, excluded.aum, excluded.aum_read_at, excluded.tab,
      excluded.account_count, excluded.reference_sort,
      excluded.handle_sort, excluded.created_at);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.refresh_trader_text(trader_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  DELETE FROM trader_text WHERE trader_ids IS NULL OR trader_id = ANY (trader_ids);
  INSERT INTO trader_text (trader_id, provider_id, kind, value)
  SELECT t.id, NULL::uuid, 'reference', t.reference_sort FROM trader t
  WHERE t.reference_number IS NOT NULL AND (trader_ids IS NULL OR t.id = ANY (trader_ids))
  UNION ALL
  SELECT t.id, NULL::uuid, 'person', lower(concat_ws(E'\n', t.name, t.telegram_username, t.telegram_user_id, t.email,
    t.deposit_address, t.external_wallet_address,
    (SELECT string_agg(m.deposit_address, E'\n') FROM pool_member m WHERE m.trader_id = t.id))) FROM trader t
  WHERE trader_ids IS NULL OR t.id = ANY (trader_ids)
  UNION ALL
  SELECT a.trader_id, a.provider_id, 'account', lower(concat_ws(E'\n', a.acc_uid, a.master_address, a.agent_address))
  FROM exchange_account a
  WHERE a.removed_at IS NULL AND (trader_ids IS NULL OR a.trader_id = ANY (trader_ids));
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.refresh_traders(trader_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  seen_before jsonb;
BEGIN
  PERFORM FROM trader WHERE id = ANY (trader_ids) ORDER BY id FOR NO KEY UPDATE;
  SELECT jsonb_object_agg(s.trader_id, s.providers) INTO seen_before
  FROM (SELECT trader_id, jsonb_agg(provider_id) AS providers
        FROM trader_provider WHERE trader_id = ANY (trader_ids) GROUP BY trader_id) s;

  UPDATE trader t
  SET aum = s.aum, aum_read_at = s.read_at, account_count = s.accounts, pool_capital = s.capital
  FROM (SELECT w.id, CASE WHEN count(a.equity) > 0 OR p.capital > 0 THEN coalesce(sum(a.equity), 0) + p.capital END AS aum,
          min(a.equity_read_at) AS read_at, count(a.id)::int AS accounts, p.capital
        FROM unnest(trader_ids) w (id)
        LEFT JOIN exchange_account a ON a.trader_id = w.id AND a.removed_at IS NULL
        CROSS JOIN LATERAL (SELECT trunc(coalesce(sum(m.capital_units), 0) * 0.000000000000000001, 8) AS capital
          FROM pool_member m WHERE m.trader_id = w.id) p
        GROUP BY w.id, p.capital) s
  WHERE t.id = s.id
    AND (t.aum, t.aum_read_at, t.account_count, t.pool_capital) IS DISTINCT FROM (s.aum, s.read_at, s.accounts, s.capital);

  DELETE FROM trader_provider tp
  USING trader t
  WHERE tp.trader_id = ANY (trader_ids) AND t.id = tp.trader_id
    AND t.selected_provider_id IS DISTINCT FROM tp.provider_id
    AND NOT EXISTS (SELECT FROM exchange_account a
                    WHERE a.trader_id = tp.trader_id AND a.provider_id = tp.provider_id AND a.removed_at IS NULL);

  INSERT INTO trader_provider AS tp (trader_id, provider_id, account_count, aum, aum_read_at, tab, is_shared, pool_capital)
  SELECT t.id, p.provider_id, count(a.id),
         CASE WHEN count(a.equity) > 0 OR t.pool_capital > 0 THEN coalesce(sum(a.equity), 0) + t.pool_capital END,
         min(a.equity_read_at), t.tab, count(*) OVER (PARTITION BY t.id) > 1, t.pool_capital
  FROM trader t
  CROSS JOIN LATERAL (
    SELECT t.selected_provider_id AS provider_id WHERE t.selected_provider_id IS NOT NULL
    UNION SELECT ea.provider_id FROM exchange_account ea WHERE ea.trader_id = t.id AND ea.removed_at IS NULL) p
  LEFT JOIN exchange_account a
    ON a.trader_id = t.id AND a.provider_id = p.provider_id AND a.removed_at IS NULL
  WHERE t.id = ANY (trader_ids)
  GROUP BY t.id, p.provider_id
  ON CONFLICT (trader_id, provider_id) DO UPDATE
  SET account_count = excluded.account_count, aum = excluded.aum, aum_read_at = excluded.aum_read_at,
      tab = excluded.tab, is_shared = excluded.is_shared, pool_capital = excluded.pool_capital
  WHERE (tp.account_count, tp.aum, tp.aum_read_at, tp.tab, tp.is_shared, tp.pool_capital) IS DISTINCT FROM
    (excluded.account_count, excluded.aum, excluded.aum_read_at, excluded.tab, excluded.is_shared, excluded.pool_capital);

  INSERT INTO change_event (topic, entity_id, provider_ids)
  SELECT 'trader', w.id, ARRAY(
    SELECT provider_id FROM trader_provider WHERE trader_id = w.id
    UNION SELECT p::uuid FROM jsonb_array_elements_text(seen_before -> w.id::text) p)
  FROM unnest(trader_ids) w (id);
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_attempts_while_stopped()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM added a JOIN transfer t ON t.id = a.transfer_id WHERE NOT (a.is_cancel AND t.is_cancel_asked))
    AND NOT app.hold_transfer_gate() THEN
    RAISE EXCEPTION 'payments are stopped: nothing but cancellations is signed' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_chain_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'what was signed or has ended on chain does not change'
    USING ERRCODE = 'integrity_constraint_violation';
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_cycle()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM harvest_cycle h WHERE h.pooled_account_id = NEW.pooled_account_id
      AND h.cycle_number = NEW.cycle_number - 1 AND h.ended_at IS NOT NULL AND h.frozen_capital_units IS NOT NULL) THEN
    RAISE EXCEPTION 'a cycle follows one that ended' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_cycle_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  is_move boolean := (NEW.status, NEW.step, NEW.failed_from) IS DISTINCT FROM (OLD.status, OLD.step, OLD.failed_from);
  is_start boolean := is_move AND OLD.status = 'stopped';
  is_stop boolean := is_move AND OLD.status = 'harvesting' AND NEW.status = 'stopping_harvesting';
  is_abort boolean := is_move AND NEW.status = 'stopped' AND OLD.status <> 'stopping_harvesting';
BEGIN
  IF is_move IS DISTINCT FROM (NEW.version = OLD.version + 1) OR NOT is_move AND NEW.version <> OLD.version
    OR is_move AND NOT app.may_move_cycle(OLD.status, OLD.step, OLD.failed_from, NEW.status, NEW.step, NEW.failed_from)
    -- Its result was decided: the next cycle trades.
    OR is_start AND OLD.frozen_capital_units IS NOT NULL
    OR is_move AND OLD.status = 'failed' AND (NEW.status, NEW.step) <> (OLD.failed_from, OLD.step) AND NOT EXISTS (
      SELECT FROM harvest_resolution r WHERE r.cycle_id = OLD.id AND r.version = OLD.version AND r.replaced_at IS NULL
        AND r.kind = CASE NEW.step WHEN 'planning' THEN 'funding_bounced' ELSE 'funding_lost' END)
    OR NOT is_move AND (NEW.since, NEW.step_since, NEW.started_at) IS DISTINCT FROM (OLD.since, OLD.step_since, OLD.started_at)
    OR NEW.started_by IS DISTINCT FROM OLD.started_by AND NOT is_start AND NOT (is_abort AND NEW.started_by IS NULL)
    OR NEW.start_balance_units IS DISTINCT FROM OLD.start_balance_units
      AND NOT (is_abort AND NEW.start_balance_units IS NULL)
    OR NEW.frozen_capital_units IS DISTINCT FROM OLD.frozen_capital_units AND NOT is_stop
    OR NEW.ended_at IS DISTINCT FROM OLD.ended_at AND (is_move OR OLD.ended_at IS NOT NULL OR OLD.status <> 'stopped'
      OR OLD.frozen_capital_units IS NULL)
    OR OLD.ended_at IS NOT NULL THEN
    RAISE EXCEPTION 'people move a cycle by its transitions, and workers write its figures'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (NEW.approved_evidence_id, NEW.approved_result_units, NEW.approved_by_id)
      IS DISTINCT FROM (OLD.approved_evidence_id, OLD.approved_result_units, OLD.approved_by_id)
    AND (NEW.step <> 'valuing' OR NOT EXISTS (
        SELECT FROM pool_evidence e WHERE e.id = NEW.approved_evidence_id AND e.cycle_id = NEW.id)
      OR app.is_independent(NEW.approved_by_id, coalesce(NEW.started_by, '')) IS NOT TRUE) THEN
    RAISE EXCEPTION 'a valuation is approved by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_deduction()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('copydesk.deduction ' || NEW.subject_id, 0));
  IF NEW.ended_units IS NOT NULL OR NOT EXISTS (
    SELECT FROM closed_position p JOIN invoice i ON i.id = p.invoice_id
    WHERE p.id = NEW.subject_id AND i.id = NEW.invoice_id AND NOT app.is_given_up(i)
      AND (NEW.trader_id, NEW.community_id, NEW.provider_id, NEW.commission_rate)
        = (i.trader_id, i.community_id, i.provider_id, i.commission_rate)
      AND NEW.amount_units + coalesce((SELECT sum(d.amount_units - coalesce(d.ended_units, 0)) FROM invoice_deduction d
          WHERE d.subject_id = p.id), 0)
        <= CASE NEW.kind WHEN 'corrected_close' THEN greatest(p.closed_pnl - p.corrected_pnl, 0)
            ELSE CASE WHEN p.double_of IS NOT NULL THEN p.closed_pnl END END
          * i.commission_rate * 1000000000000000000)
    OR NEW.amount_units <> (SELECT sum((part ->> 'units')::numeric) FROM jsonb_array_elements(NEW.split) part) THEN
    RAISE EXCEPTION 'a deduction is what an exchange corrected of an invoice' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_dependent_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'a % is approved by an independent, confirmed super admin', replace(TG_TABLE_NAME, '_', ' ')
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_dependent_decision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'a decision about an arrival is confirmed by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_dependent_release()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF app.is_independent(NEW.released_by_id, coalesce((SELECT s.owner_id::text FROM identity.service_token s
      WHERE s.id::text = OLD.changed_by_id), OLD.changed_by_id)) IS NOT TRUE THEN
    RAISE EXCEPTION 'a changed address is released by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  NEW.released_at := now();
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_dependent_retry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF app.is_independent(NEW.approved_by_id, NEW.ordered_by_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'a payout is approved by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_distribution_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  is_operator boolean := app.is_operator() AND NEW.decided_by_id = 'operator';
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.is_above_maximum <> NEW.is_above_maximum OR OLD.first_approved_by_id IS NOT NULL
      AND OLD.first_approved_by_id IS DISTINCT FROM NEW.first_approved_by_id) THEN
    RAISE EXCEPTION 'what a distribution takes does not change' USING ERRCODE = 'integrity_constraint_violation';
  ELSIF NEW.first_approved_by_id IS NOT NULL
      AND app.is_independent(NEW.first_approved_by_id, NEW.requested_by_id) IS NOT TRUE
    OR NEW.state = 'approved' AND NOT is_operator AND (
      (NEW.is_above_maximum OR TG_OP = 'UPDATE' OR NEW.decided_by_id IS NOT NULL)
        AND app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE
      OR NEW.is_above_maximum AND app.is_independent(NEW.decided_by_id, NEW.first_approved_by_id) IS NOT TRUE) THEN
    RAISE EXCEPTION 'a distribution is approved by an independent, confirmed super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_end_of_promise()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.refuse_funding_state()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NEW.state <> (CASE WHEN OLD.credited_units > 0 THEN 'credited' ELSE 'lost' END) OR NOT EXISTS (
      SELECT FROM harvest_cycle h JOIN harvest_resolution r ON r.cycle_id = h.id AND r.version = h.version - 1
      WHERE h.id = NEW.cycle_id AND r.kind = 'funding_lost' AND r.replaced_at IS NULL
        AND h.status = 'stopping_harvesting' AND h.step IN ('moving', 'resuming')) THEN
    RAISE EXCEPTION 'a funding is given up by a decision of two people' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_journal()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.refuse_later_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM money_order o WHERE o.id = NEW.order_id AND o.requested_at = now()) THEN
    RAISE EXCEPTION 'the order % is made already', NEW.order_id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_other_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM deposit_address d WHERE d.deposit_index = NEW.deposit_index AND d.address = NEW.deposit_address)
  THEN
    RAISE EXCEPTION 'a deposit address is the one that a worker derived' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_other_address_in_text()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (
    SELECT FROM regexp_matches(NEW.text, '0x[0-9a-f]{40}', 'gi') AS found (words)
    WHERE NOT EXISTS (SELECT FROM trader t WHERE t.id = NEW.trader_id AND lower(t.deposit_address) = lower(found.words[1]))
      AND NOT EXISTS (SELECT FROM pooled_account p
        WHERE p.community_id = NEW.community_id AND lower(p.proxy_address) = lower(found.words[1]))) THEN
    RAISE EXCEPTION 'a message has no address of anybody else' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_other_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.invoice_id IS NULL AND NEW.closed_pnl IS NOT DISTINCT FROM OLD.closed_pnl
      AND EXISTS (SELECT FROM invoice i WHERE i.id = OLD.invoice_id AND i.recalled_at = now())
      AND EXISTS (SELECT FROM recalled_position r WHERE r.invoice_id = OLD.invoice_id AND r.position_id = OLD.id) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'closed position % was invoiced', OLD.id USING ERRCODE = 'integrity_constraint_violation';
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_other_payment_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM trader t WHERE t.id = NEW.trader_id AND lower(t.deposit_address) = lower(NEW.payment_address)) THEN
    RAISE EXCEPTION 'an invoice is paid to the deposit address of its trader' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_other_recipient()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT app.is_api() THEN
    RETURN NULL;
  ELSIF NOT app.sees_all() THEN
    RAISE EXCEPTION 'shares are ordered with the whole scope' USING ERRCODE = 'insufficient_privilege';
  ELSIF EXISTS (
    SELECT FROM added y JOIN taken e ON e.id = y.id
    LEFT JOIN payout o ON o.id = y.payout_id
    LEFT JOIN community c ON c.id = y.community_id
    LEFT JOIN provider p ON p.id = y.provider_id
    LEFT JOIN platform_recipient platform ON platform.recipient_type = y.recipient_type
    LEFT JOIN LATERAL (
      SELECT r.id, t.id::text AS referred_id, r.external_wallet_address AS address FROM invoice i
      JOIN trader t ON t.id = i.trader_id JOIN trader r ON r.id = t.referred_by_trader_id
      WHERE i.id = y.invoice_id) referrer ON y.recipient_type = 'trader_referrer'
    CROSS JOIN LATERAL (SELECT
      CASE y.recipient_type WHEN 'mark' THEN p.payout_address WHEN 'community' THEN c.external_wallet_address
        WHEN 'community_referrer' THEN c.referrer_wallet_address WHEN 'trader_referrer' THEN referrer.address
        ELSE platform.address END AS address,
      CASE y.recipient_type WHEN 'mark' THEN 'provider' WHEN 'community' THEN 'community'
        WHEN 'community_referrer' THEN 'community_referrer' WHEN 'trader_referrer' THEN 'trader'
        ELSE 'platform' END AS owner_kind,
      CASE y.recipient_type WHEN 'mark' THEN y.provider_id::text WHEN 'community' THEN y.community_id::text
        WHEN 'community_referrer' THEN y.community_id::text WHEN 'trader_referrer' THEN referrer.id::text
        ELSE y.recipient_type END AS owner_id) w
    WHERE (y.payout_id IS DISTINCT FROM e.payout_id OR y.recipient_address IS DISTINCT FROM e.recipient_address)
      AND CASE WHEN y.payout_id IS NULL THEN y.recipient_address IS DISTINCT FROM e.recipient_address
        ELSE o.community_id <> y.community_id OR y.recipient_address IS DISTINCT FROM o.recipient_address
          OR lower(o.recipient_address) IS DISTINCT FROM lower(coalesce(w.address, e.recipient_address))
          OR EXISTS (SELECT FROM payout_address_change h WHERE h.owner_kind = w.owner_kind AND h.owner_id = w.owner_id
            AND app.is_held(h.released_at, h.changed_at, app.address_hold()))
          OR EXISTS (SELECT FROM payout_address_change h WHERE h.owner_kind = 'trader_referrer'
            AND h.owner_id = referrer.referred_id AND app.is_held(h.released_at, h.changed_at, app.address_hold())) END)
  THEN
    RAISE EXCEPTION 'a share is paid to the present address of its recipient, after its hold'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_other_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'a distribution stays in its run' USING ERRCODE = 'integrity_constraint_violation';
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_other_terms()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF OLD.invoice_type <> 'exchange_bot' OR OLD.status <> 'pending' OR OLD.paid_units <> 0
    OR NEW.amount_units >= OLD.amount_units THEN
    RAISE EXCEPTION 'the terms of invoice % are frozen', OLD.id USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF app.is_api() AND NOT EXISTS (
    SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
    WHERE l.subject_id = NEW.id AND l.amount_units >= OLD.amount_units - NEW.amount_units
      AND o.act = 'sale_discounted' AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now())
  THEN
    RAISE EXCEPTION 'what is owed is lowered by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_own_address()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'addresses of wallets are derived by workers' USING ERRCODE = 'insufficient_privilege';
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_paid_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'a new invoice is unpaid' USING ERRCODE = 'integrity_constraint_violation';
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_posting()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.refuse_release_without_word()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM payout_address_word w
      WHERE w.change_id = NEW.id AND w.kind = 'confirmed' AND w.address = NEW.address) THEN
    RAISE EXCEPTION 'an address is released by its owner with a word of its owner'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_setting()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  before integer := 0;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    before := CASE WHEN OLD.name = NEW.name THEN OLD.version ELSE -1 END;
  END IF;
  IF NEW.version <> before + 1 OR NOT EXISTS (
    SELECT FROM platform_setting_change c LEFT JOIN platform_setting_default d ON d.name = c.name
    WHERE c.name = NEW.name AND c.state = 'applied' AND c.based_on = before
      AND CASE WHEN NEW.value IS NULL THEN c.value = coalesce(d.value, c.value) ELSE c.value = NEW.value END)
  THEN
    RAISE EXCEPTION 'the setting % does not follow from a change that was decided', NEW.name
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_setting_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  present jsonb := NEW.previous;
  present_version integer := 0;
BEGIN
  -- What holds has to be visible, or it would be as if nothing was set.
  IF NOT app.sees_all() THEN
    RAISE EXCEPTION 'settings are changed with the whole scope' USING ERRCODE = 'insufficient_privilege';
  ELSIF TG_OP = 'UPDATE' AND OLD.state <> 'waiting' THEN
    RAISE EXCEPTION 'a change of a setting is decided once' USING ERRCODE = 'integrity_constraint_violation';
  ELSIF TG_OP = 'INSERT' AND (NEW.state NOT IN ('waiting', 'applied') OR NEW.decided_at IS NOT NULL) THEN
    RAISE EXCEPTION 'a change of a setting begins undecided' USING ERRCODE = 'integrity_constraint_violation';
  ELSIF NEW.state <> 'applied' THEN
    RETURN NEW;
  END IF;
  SELECT coalesce(s.value, d.value, NEW.previous), coalesce(s.version, 0) INTO present, present_version
  FROM (SELECT) one LEFT JOIN platform_setting s ON s.name = NEW.name
  LEFT JOIN platform_setting_default d ON d.name = NEW.name;
  IF NEW.based_on <> present_version THEN
    RAISE EXCEPTION 'the setting % has changed', NEW.name USING ERRCODE = 'integrity_constraint_violation';
  ELSIF app.setting_needs_second(NEW.name, present, NEW.value)
    AND app.is_independent(NEW.decided_by_id, NEW.requested_by_id) IS NOT TRUE THEN
    RAISE EXCEPTION 'a change of the setting % is approved by an independent, confirmed super admin', NEW.name
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_token_contract()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM address_reading r WHERE r.address = lower(NEW.address) AND r.is_token) THEN
    RAISE EXCEPTION 'a contract of tokens is not paid' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_word_of_others()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  NEW.read_at := now();
  PERFORM FROM payout_address_change a JOIN trader t ON t.id = NEW.trader_id
  WHERE a.id = NEW.change_id AND a.owner_kind = 'trader' AND a.owner_id = t.id::text AND a.released_at IS NULL
    AND a.address = NEW.address AND lower(t.external_wallet_address) = lower(a.address)
    AND t.telegram_user_id = NEW.telegram_user_id::text AND app.telegram_counts(t.telegram_user_id, t.telegram_set_at)
    AND EXISTS (SELECT FROM platform_bot_reading r
      WHERE r.telegram_id = NEW.bot_telegram_id AND r.counts_from <= now())
    AND NOT (NEW.kind = 'confirmed' AND EXISTS (SELECT FROM address_reading n
      WHERE n.address = lower(a.address) AND n.is_token))
  FOR NO KEY UPDATE OF a;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a word is about the present address of an open change, from an id that counts'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_worker()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'a worker approves nothing' USING ERRCODE = 'insufficient_privilege';
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_write_off()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  -- Paid on chain is what `app.take_payments` made it; the fee of a pool is paid by its transfer.
  IF EXISTS (SELECT FROM added n JOIN taken e ON e.id = n.id
      WHERE n.settled_by IS DISTINCT FROM e.settled_by AND n.settled_by IN ('chain', 'pool')) THEN
    RAISE EXCEPTION 'an invoice is paid by payments' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF EXISTS (
    SELECT FROM added n JOIN taken e ON e.id = n.id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN e.status <> 'pending' THEN NULL
      WHEN n.status = 'cancelled' THEN 'sale_cancelled'
      WHEN n.status = 'paid' AND n.settled_by = 'manual' THEN 'invoices_paid_off_platform'
      WHEN n.is_archived AND NOT e.is_archived THEN 'invoices_archived' END AS act) w
    WHERE w.act IS NOT NULL AND NOT EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = n.id AND l.amount_units >= e.amount_units - e.paid_units
        AND o.act = w.act AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now()))
  THEN
    RAISE EXCEPTION 'what is unpaid is written off by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.refuse_write_off_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT app.sees_all() OR current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'write-offs are ordered with the whole scope' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('copydesk.write-offs ' || NEW.requested_by_id, 0));
  IF NOT EXISTS (SELECT FROM identity.user_access a
      WHERE a.user_id::text = NEW.requested_by_id AND a.super AND a.disabled_at IS NULL)
    OR NEW.amount_units <> (SELECT coalesce(sum(l.amount_units), 0) FROM money_order_line l WHERE l.order_id = NEW.id)
    OR (SELECT w.units FROM app.written_off_lately() w WHERE w.by_id = NEW.requested_by_id) > app.write_off_limit() THEN
    RAISE EXCEPTION 'what one super admin writes off within a day is below the limit'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.release_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.release_by_word()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE payout_address_change SET released_at = now(), released_by_id = 'owner', released_by = 'its owner by Telegram'
  WHERE id = NEW.change_id;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.replace_pool_key(request uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  answer pool_exchange_request := app.use_pool_answer(request, 'replacement');
BEGIN
  -- Accounts of two platforms may have one number.
  PERFORM 1 FROM pooled_account p WHERE p.id = answer.pooled_account_id AND p.bybit_uid = answer.uid
    AND p.bybit_region IS NOT DISTINCT FROM answer.region;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the key of the request % is of another account', request
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  DELETE FROM pool_key WHERE pooled_account_id = answer.pooled_account_id;
  PERFORM app.store_pool_key(answer);
  -- It is due at once; what the last read found stays until then.
  UPDATE pool_exchange_read SET tried_at = to_timestamp(0) WHERE pooled_account_id = answer.pooled_account_id;
  RETURN answer.pooled_account_id;
END
$function$;

CREATE OR REPLACE FUNCTION app.replication(OUT timeline text, OUT flushed pg_lsn, OUT confirmed pg_lsn, OUT names text, OUT wanted integer, OUT connected integer, OUT is_hidden boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  positions pg_lsn[];
BEGIN
  names := trim(current_setting('synchronous_standby_names'));
  wanted := coalesce(substring(names FROM '^(?:[A-Za-z]+\s*)?(\d+)\s*\(')::int, 1);
  connected := 0;
  is_hidden := false;
  IF NOT pg_is_in_recovery() THEN
    flushed := pg_current_wal_flush_lsn();
    timeline := left(pg_walfile_name(flushed), 8);
  END IF;
  SELECT array_agg(r.flush_lsn ORDER BY r.flush_lsn DESC NULLS LAST) FILTER (WHERE r.sync_state IN ('sync', 'quorum')),
    bool_or(r.sync_state IS NULL)
  INTO positions, is_hidden FROM pg_stat_replication r;
  is_hidden := coalesce(is_hidden, false);
  connected := coalesce(cardinality(positions), 0);
  confirmed := positions[wanted];
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR insufficient_privilege THEN
  NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.request_sync(queue text, kind text, subject text, since timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
BEGIN
  IF queue IS NULL OR queue NOT IN ('stripe-sync', 'clerk-sync')
    OR kind IS NULL OR kind !~ '^[a-z_]{1,30}$' OR subject IS NULL OR length(subject) NOT BETWEEN 1 AND 255 THEN
    RAISE EXCEPTION 'no such work can be ordered' USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO pgboss.job_common AS waiting (name, singleton_key, data, policy, retry_limit, retry_delay, retry_backoff,
    retry_delay_max, expire_seconds, heartbeat_seconds, deletion_seconds, keep_until, dead_letter)
  SELECT q.name, kind || ':' || subject,
    jsonb_strip_nulls(jsonb_build_object('kind', kind, 'id', subject, 'since', since)),
    q.policy, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.expire_seconds, q.heartbeat_seconds,
    q.deletion_seconds, now() + q.retention_seconds * interval '1 second', q.dead_letter
  FROM pgboss.queue q WHERE q.name = queue
  ON CONFLICT (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'
  DO UPDATE SET data = excluded.data
    WHERE (waiting.data ->> 'since')::timestamptz < (excluded.data ->> 'since')::timestamptz;
  IF NOT EXISTS (SELECT FROM pgboss.queue q WHERE q.name = queue) THEN
    RAISE EXCEPTION 'the queue % is missing: npm run migrate makes it', queue;
  END IF;
  PERFORM pg_notify('copydesk_work', queue);
END
$function$;

CREATE OR REPLACE FUNCTION app.reserve_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION app.resume_payments(why text, by_id text, by_name text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE transfer_stop_lift l SET state = 'withdrawn', decided_by_id = by_id, decided_by = by_name,
    decided_at = clock_timestamp()
  FROM transfer_stop s WHERE s.id = l.stop_id AND s.lifted_at IS NULL AND l.state IN ('waiting', 'confirmed');
  RETURN app.end_stop('command', why, by_id, by_name);
END
$function$;

CREATE OR REPLACE FUNCTION app.revivable_orders(traders uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT s.invoice_id
    FROM (((( SELECT DISTINCT ON (e.trader_id, e.plan_id, i.amount_units) e.invoice_id,
             e.trader_id,
             e.bot_id,
             e.coupon_id,
             e.ended_at
            FROM (exchange_bot_sale e
              JOIN invoice i ON ((i.id = e.invoice_id)))
           WHERE ((e.trader_id = ANY (revivable_orders.traders)) AND (e.ended_at > (now() - '7 days'::interval)) AND (e.cancelled_because IS NOT NULL) AND (i.status = 'cancelled'::text) AND (i.paid_units = (0)::numeric) AND (NOT i.is_archived))
           ORDER BY e.trader_id, e.plan_id, i.amount_units, e.ended_at DESC, e.created_at DESC, e.invoice_id) s
      JOIN exchange_bot b ON (((b.id = s.bot_id) AND b.is_active)))
      JOIN community c ON (((c.id = b.community_id) AND (NOT c.is_archived))))
      LEFT JOIN exchange_bot_coupon k ON ((k.id = s.coupon_id)))
   WHERE ((NOT (EXISTS ( SELECT
            FROM exchange_bot_sale o
           WHERE ((o.trader_id = s.trader_id) AND (o.bot_id = s.bot_id) AND (o.sold_at >= s.ended_at))))) AND ((k.max_uses IS NULL) OR (k.max_uses > ( SELECT count(*) AS count
            FROM exchange_bot_sale o
           WHERE ((o.coupon_id = k.id) AND (o.cancelled_because IS NULL))))) AND ((k.max_uses_per_user IS NULL) OR (k.max_uses_per_user > ( SELECT count(*) AS count
            FROM exchange_bot_sale o
           WHERE ((o.coupon_id = k.id) AND (o.cancelled_because IS NULL) AND (o.trader_id = s.trader_id))))));
END;

CREATE OR REPLACE FUNCTION app.seal_audit(after_position bigint, seqs bigint[], hashes bytea[], seal_keyed_by text, own_hashes bytea[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM app.lock_audit();
  IF after_position <> coalesce((SELECT max(s.position) FROM audit_seal s), 0) THEN
    RAISE EXCEPTION 'the chain of the audit ends elsewhere' USING ERRCODE = 'serialization_failure';
  END IF;
  INSERT INTO audit_seal (position, seq, hash, keyed_by, own_hash)
    SELECT after_position + n.place, n.seq, n.hash, seal_keyed_by, n.own_hash
    FROM unnest(seqs, hashes, own_hashes) WITH ORDINALITY AS n (seq, hash, own_hash, place);
  DELETE FROM audit_unsealed WHERE seq = ANY (seqs);
END
$function$;

CREATE OR REPLACE FUNCTION app.search_audit(typed text, before_seq bigint, most integer)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  wanted tsquery := app.words_query(typed);
BEGIN
  IF wanted IS NULL OR NOT app.sees_all() THEN
    RETURN;
  END IF;
  -- The words are part of the statement, so that the planner knows how rare they are.
  RETURN QUERY EXECUTE format($query$
    SELECT f.seq FROM (
      (SELECT e.seq FROM (SELECT n.seq FROM app.unread_seals() n UNION ALL SELECT u.seq FROM audit_unsealed u) n
        JOIN audit_entry e ON e.seq = n.seq
        WHERE e.seq < $1 AND app.audit_words(e) @@ %1$L::tsquery ORDER BY e.seq DESC LIMIT $2)
      UNION ALL
      (SELECT t.seq FROM audit_text t
        WHERE t.seq < $1 AND t.words @@ %1$L::tsquery ORDER BY t.seq DESC LIMIT $2)) f
    ORDER BY f.seq DESC LIMIT $2$query$, wanted)
    USING before_seq, most;
END
$function$;

CREATE OR REPLACE FUNCTION app.search_traders(part text, in_references boolean, most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  needle text := lower(part);
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  hex text := replace(needle, '-', '');
  is_short boolean := length(needle) < 3;
  sources text := format($query$SELECT x.trader_id FROM trader_text x
    WHERE %s AND ($1 OR coalesce(x.provider_id = ANY ($2), true))$query$,
    CASE
      -- Neither column is named as an index has it: texts are read as they come, and only until there are enough.
      WHEN in_references AND is_short THEN format($part$(x.kind || '') = 'reference' AND (x.value || '') LIKE %L$part$, pattern)
      WHEN in_references THEN format($part$x.kind = 'reference' AND x.value LIKE %L$part$, pattern)
      WHEN is_short THEN format($part$x.kind <> 'reference' AND app.short_parts(x.value) @> ARRAY[%L]$part$, needle)
      ELSE format($part$x.kind <> 'reference' AND x.value LIKE %L$part$, pattern)
    END);
BEGIN
  IF NOT in_references AND hex ~ '^[0-9a-f]{8,32}$' THEN
    sources := sources || format($query$ UNION ALL SELECT i.trader_id FROM invoice i
      WHERE i.id BETWEEN %L::uuid AND %L::uuid AND ($1 OR i.provider_id = ANY ($2))$query$,
      rpad(hex, 32, '0'), rpad(hex, 32, 'f'));
  END IF;
  IF NOT in_references AND needle ~ '^0x[0-9a-f]{6,64}$' THEN
    sources := sources || format($query$ UNION ALL SELECT i.trader_id FROM invoice_payment y JOIN invoice i ON i.id = y.invoice_id
      WHERE y.transaction_hash COLLATE "C" >= %L AND y.transaction_hash COLLATE "C" < %L
        AND ($1 OR y.provider_id = ANY ($2))$query$, needle, needle || 'g');
  END IF;
  RETURN QUERY EXECUTE format($query$SELECT found.trader_id FROM (%s) found
    WHERE ($1 OR EXISTS (SELECT FROM trader_provider p
      WHERE p.trader_id = found.trader_id AND p.provider_id = ANY ($2) OFFSET 0))
    AND (%L OR NOT EXISTS (SELECT FROM trader_text r
      WHERE r.trader_id = found.trader_id AND r.kind = 'reference' AND r.value LIKE %L OFFSET 0))
    LIMIT $3$query$, sources, in_references, pattern) USING caller_scope = 'all', mine, most;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.sees_all()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((current_setting('copydesk.scope'::text, true) = 'all'::text), false);

CREATE OR REPLACE FUNCTION app.set_funding_address(approved_order uuid, hold_hours integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  changed boolean;
BEGIN
  UPDATE pooled_account p SET bybit_deposit_address = l.to_address, bybit_deposit_address_by = o.requested_by,
    bybit_deposit_address_from = o.decided_at
      + CASE WHEN o.act = 'pool_connection' THEN interval '0' ELSE make_interval(hours => greatest(hold_hours, 24)) END
  FROM money_order o JOIN money_order_line l ON l.order_id = o.id
  WHERE o.id = approved_order AND o.act IN ('pool_funding_address', 'pool_connection') AND o.state = 'approved'
    AND o.decided_by_id <> o.requested_by_id AND l.subject_id = p.id AND p.id = o.pooled_account_id
    AND l.to_address IS NOT NULL AND o.decided_at > now() - interval '1 hour';
  changed := FOUND;
  RETURN changed;
END
$function$;

CREATE OR REPLACE FUNCTION app.setting_needs_second(setting text, previous jsonb, wanted jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  CASE setting
    WHEN 'approval_above_usdt', 'write_off_above_usdt', 'payout_max_per_transaction', 'payout_max_per_day',
      'chain_max_fee_gwei', 'tip_up_to_usdt', 'minimum_invoice_usdt',
      'minimum_payout_usdt' THEN
      RETURN previous <> 'null' AND (wanted = 'null' OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'approver_min_hours', 'payout_address_hold_hours' THEN
      RETURN (wanted #>> '{}')::numeric < (previous #>> '{}')::numeric
        OR ((wanted #>> '{}')::numeric > (previous #>> '{}')::numeric AND (wanted #>> '{}')::numeric > 72);
    WHEN 'stop_after_set_aside' THEN
      -- Zero is the loosest.
      RETURN (previous #>> '{}')::numeric <> 0 AND ((wanted #>> '{}')::numeric = 0
        OR (wanted #>> '{}')::numeric > (previous #>> '{}')::numeric);
    WHEN 'scheduled_invoicing' THEN
      RETURN wanted = '"draft"' AND previous <> wanted;
    WHEN 'egress_addresses' THEN
      RETURN NOT previous @> wanted;
    WHEN 'commission_rate', 'invoice_due_days', 'vip_tiers', 'community_plans' THEN
      RETURN false;
    ELSE
      RETURN true;
  END CASE;
END
$function$;

CREATE OR REPLACE FUNCTION app.settled_elsewhere(status text, settled_by text, amount numeric, paid numeric, off_platform numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((status = 'paid'::text) AND (settled_by = 'manual'::text)) THEN GREATEST((amount - app.on_chain_units(paid, off_platform)), (0)::numeric) ELSE off_platform END;

CREATE OR REPLACE FUNCTION app.short_parts(value text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 10000
AS $function$
BEGIN
  RETURN string_to_array(value, NULL)
    || string_to_array(regexp_replace(value, '(..)', E'\\1\x01', 'g'), E'\x01')
    || string_to_array(regexp_replace(substr(value, 2), '(..)', E'\\1\x01', 'g'), E'\x01');
END
$function$;

CREATE OR REPLACE FUNCTION app.stop_payments(from_where text, why text, by_id text, by_name text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
DECLARE
  added uuid;
BEGIN
  IF current_setting('role') = 'copydesk_app' AND (from_where <> 'console' OR NOT EXISTS (
      SELECT FROM identity.user_access a WHERE a.user_id::text = by_id AND a.super AND a.disabled_at IS NULL)) THEN
    RAISE EXCEPTION 'the API stops payments for a super admin only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  BEGIN
    LOCK TABLE transfer_gate IN EXCLUSIVE MODE;
  EXCEPTION WHEN lock_not_available THEN
    -- A worker hangs while it signs. The stop holds for everyone else, and what that worker stores later is not sent.
    NULL;
  END;
  INSERT INTO transfer_stop (reason, origin, stopped_by_id, stopped_by) VALUES (why, from_where, by_id, by_name)
  ON CONFLICT DO NOTHING RETURNING id INTO added;
  UPDATE transfer_gate g SET stopped_since = s.stopped_at FROM transfer_stop s
  WHERE s.lifted_at IS NULL AND g.stopped_since IS DISTINCT FROM s.stopped_at;
  RETURN added;
END
$function$;

CREATE OR REPLACE FUNCTION app.store_pool_key(answer pool_exchange_request)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  INSERT INTO pool_key (pooled_account_id, field, ciphertext, recipient, fingerprint) VALUES
    (answer.pooled_account_id, 'api_key', answer.api_key, answer.recipient, answer.api_key_fingerprint),
    (answer.pooled_account_id, 'secret_key', answer.secret_key, answer.recipient, answer.secret_key_fingerprint);
$function$;

CREATE OR REPLACE FUNCTION app.subscription_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  IF NOT app.bulk_loading() THEN
    INSERT INTO change_event (topic, entity_id, provider_ids)
    VALUES ('community', NEW.community_id,
      ARRAY(SELECT provider_id FROM community_provider WHERE community_id = NEW.community_id));
  END IF;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.sum_capital_days(first date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  today date := app.utc_day(now());
BEGIN
  DELETE FROM community_capital_day WHERE day BETWEEN first AND today;
  -- The capital of now, less what came after the end of the day.
  INSERT INTO community_capital_day (community_id, day, provider_ids, capital)
  WITH later AS MATERIALIZED (
    SELECT a.owner_id AS member_id, app.utc_day(j.created_at) AS day, sum(-p.amount) AS units
    FROM journal j JOIN posting p ON p.journal_id = j.id JOIN ledger_account a ON a.id = p.account_id
    WHERE j.created_at >= (first + 1)::timestamp AT TIME ZONE 'UTC' AND a.kind = 'pool_capital' GROUP BY 1, 2),
  members AS MATERIALIZED (
    SELECT m.id, t.community_id, m.capital_units, ARRAY(SELECT p.provider_id FROM trader_provider p
      WHERE p.trader_id = t.id ORDER BY 1) AS provider_ids
    FROM pool_member m JOIN trader t ON t.id = m.trader_id),
  changes AS (
    SELECT m.community_id, m.provider_ids, l.day, sum(l.units) AS units FROM later l JOIN members m ON m.id = l.member_id
    GROUP BY 1, 2, 3),
  sums AS (
    SELECT community_id, provider_ids, sum(capital_units) AS units FROM members GROUP BY 1, 2)
  SELECT s.community_id, s.day, s.provider_ids, trunc(s.units * 0.000000000000000001, 8)
  FROM (SELECT s.community_id, s.provider_ids, g::date AS day, s.units - coalesce((SELECT sum(c.units) FROM changes c
          WHERE (c.community_id, c.provider_ids) = (s.community_id, s.provider_ids) AND c.day > g::date), 0) AS units
        FROM sums s CROSS JOIN generate_series(first, today, interval '1 day') g) s
  WHERE s.units >= 10000000000;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.sum_closed_positions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO closed_position_day AS d
      (account_id, day, trader_id, provider_id, positions, closed_pnl, unknown_profit)
    SELECT account_id, app.utc_day(closed_at), trader_id, provider_id, count(*), sum(coalesce(closed_pnl, 0)),
      count(*) FILTER (WHERE closed_pnl IS NULL)
    FROM added GROUP BY 1, 2, 3, 4
    ON CONFLICT (account_id, day) DO UPDATE
    SET positions = d.positions + excluded.positions, closed_pnl = d.closed_pnl + excluded.closed_pnl,
      unknown_profit = d.unknown_profit + excluded.unknown_profit;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE closed_position_day d
    SET positions = d.positions - r.positions, closed_pnl = d.closed_pnl - r.closed_pnl,
      unknown_profit = d.unknown_profit - r.unknown_profit
    FROM (SELECT account_id, app.utc_day(closed_at) AS day, count(*)::int AS positions,
            sum(coalesce(closed_pnl, 0)) AS closed_pnl,
            (count(*) FILTER (WHERE closed_pnl IS NULL))::int AS unknown_profit
          FROM taken GROUP BY 1, 2) r
    WHERE d.account_id = r.account_id AND d.day = r.day;
  ELSE
    INSERT INTO closed_position_day AS d
      (account_id, day, trader_id, provider_id, positions, closed_pnl, unknown_profit)
    SELECT account_id, day, trader_id, provider_id, sum(n)::int, sum(pnl), sum(unknown)::int
    FROM (
      SELECT a.account_id, app.utc_day(a.closed_at) AS day, a.trader_id, a.provider_id, 1 AS n,
        coalesce(a.closed_pnl, 0) AS pnl, (a.closed_pnl IS NULL)::int AS unknown
      FROM added a JOIN taken t USING (id)
      WHERE (a.closed_pnl, a.closed_at) IS DISTINCT FROM (t.closed_pnl, t.closed_at)
      UNION ALL
      SELECT t.account_id, app.utc_day(t.closed_at), t.trader_id, t.provider_id, -1, -coalesce(t.closed_pnl, 0),
        -(t.closed_pnl IS NULL)::int
      FROM added a JOIN taken t USING (id)
      WHERE (a.closed_pnl, a.closed_at) IS DISTINCT FROM (t.closed_pnl, t.closed_at)) moved
    GROUP BY 1, 2, 3, 4
    ON CONFLICT (account_id, day) DO UPDATE
    SET positions = d.positions + excluded.positions, closed_pnl = d.closed_pnl + excluded.closed_pnl,
      unknown_profit = d.unknown_profit + excluded.unknown_profit;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.take_over_events()
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  taken bigint;
BEGIN
  WITH billing AS (
    UPDATE billing_event SET state = 'handled', handled_at = now() WHERE state = 'waiting'
    RETURNING 'stripe-sync' AS queue, subject_kind, subject_id, NULL::timestamptz AS since
  ), hosted AS (
    UPDATE identity.hosted_event SET state = 'handled', handled_at = now() WHERE state = 'waiting'
    RETURNING 'clerk-sync' AS queue, subject_kind, subject_id, hosted_id,
      CASE WHEN subject_kind = 'ended_sessions' THEN happened_at END AS since
  ), ended AS (
    INSERT INTO identity.hosted_session AS s (id, hosted_id, first_seen_at, ended_at)
    SELECT DISTINCT ON (subject_id) subject_id, hosted_id, now(), now() FROM hosted WHERE subject_kind = 'session'
    ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at WHERE s.ended_at IS NULL
  ), subjects AS (
    SELECT queue, subject_kind, subject_id, since FROM billing
    UNION ALL
    SELECT queue, subject_kind, subject_id, since FROM hosted WHERE subject_kind <> 'session'
  )
  SELECT count(app.request_sync(queue, subject_kind, subject_id, latest)::text) INTO taken
  FROM (SELECT queue, subject_kind, subject_id, max(since) AS latest FROM subjects GROUP BY 1, 2, 3) one;
  RETURN taken;
END
$function$;

CREATE OR REPLACE FUNCTION app.take_payments(payments uuid[], invoices uuid[], units numeric[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  taken integer;
  tipped integer;
BEGIN
  IF cardinality(invoices) <> cardinality(payments) OR cardinality(units) <> cardinality(payments)
    OR EXISTS (SELECT FROM unnest(units) AS g (units) WHERE g.units <> trunc(g.units)) THEN
    RAISE EXCEPTION 'each payment is taken for an invoice, in base units' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM FROM invoice i WHERE i.id = ANY (invoices) ORDER BY i.id FOR NO KEY UPDATE;
  -- What is left of a payment that paid this invoice already is a tip on it.
  WITH more AS (
    UPDATE invoice_payment m SET amount_units = m.amount_units + g.units, tip_units = m.tip_units + g.units
    FROM unnest(payments, invoices, units) AS g (payment_id, invoice_id, units), invoice i
    WHERE m.payment_id = g.payment_id AND m.invoice_id = g.invoice_id AND i.id = g.invoice_id AND i.settled_by = 'chain'
    RETURNING i.community_id, m.provider_id, app.utc_day(m.received_at) AS day, g.units),
  added AS (
    UPDATE community_day d SET received_units = d.received_units + s.units
    FROM (SELECT e.community_id, e.provider_id, e.day, sum(e.units) AS units FROM more e GROUP BY 1, 2, 3) s
    WHERE d.community_id = s.community_id AND d.day = s.day AND d.provider_id IS NOT DISTINCT FROM s.provider_id)
  SELECT count(*) INTO tipped FROM more;
  -- A tip is what goes beyond the amount, in the order of the arrays.
  INSERT INTO invoice_payment (payment_id, invoice_id, provider_id, amount_units, tip_units, transaction_hash, received_at)
  SELECT p.id, i.id, i.provider_id, a.units, least(a.units, greatest(i.paid_units + a.units_so_far - i.amount_units, 0)),
    p.transaction_hash, p.received_at
  FROM (SELECT g.payment_id, g.invoice_id, g.units,
          sum(g.units) OVER (PARTITION BY g.invoice_id ORDER BY g.place ROWS UNBOUNDED PRECEDING) AS units_so_far
        FROM unnest(payments, invoices, units) WITH ORDINALITY AS g (payment_id, invoice_id, units, place)) a
  JOIN payment p ON p.id = a.payment_id
  JOIN invoice i ON i.id = a.invoice_id AND i.trader_id = p.trader_id AND i.harvest_cycle_id IS NULL
    AND (i.status = 'pending' OR i.settled_by = 'chain'
      -- An order that ended is revived by a payment of all of it, or not at all.
      OR (i.status = 'cancelled' AND a.units >= i.amount_units
        AND i.id IN (SELECT app.revivable_orders(ARRAY[p.trader_id]))))
  WHERE NOT EXISTS (SELECT FROM invoice_payment m WHERE m.payment_id = p.id AND m.invoice_id = i.id
    AND i.settled_by = 'chain');
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken + tipped <> cardinality(payments) THEN
    RAISE EXCEPTION 'a payment is taken for an open invoice of its trader, or for one that was paid on chain'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  -- Small tips are left over; what is more is the trader's credit, and a tip only where an order says so.
  IF EXISTS (
    SELECT FROM unnest(payments, invoices) AS g (payment_id, invoice_id)
    JOIN invoice_payment m ON m.payment_id = g.payment_id AND m.invoice_id = g.invoice_id
    WHERE m.tip_units > greatest(app.tip_limit(), 1000000000000) AND NOT EXISTS (
      SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE l.subject_id = m.payment_id AND l.amount_units >= m.tip_units AND o.act = 'credit_tipped'
        AND o.state = 'approved' AND greatest(o.requested_at, o.decided_at) = now())) THEN
    RAISE EXCEPTION 'credit becomes a tip by an order' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  -- A constraint keeps it from going below zero, also when two transactions take at once.
  UPDATE payment p SET open_units = p.open_units - a.units
  FROM (SELECT g.payment_id, sum(g.units) AS units
        FROM unnest(payments, units) AS g (payment_id, units) GROUP BY g.payment_id) a
  WHERE p.id = a.payment_id;
  UPDATE invoice i SET paid_units = i.paid_units + a.units, updated_at = now(),
    status = CASE WHEN a.completes THEN 'paid' ELSE i.status END,
    settled_by = CASE WHEN a.completes THEN 'chain' ELSE i.settled_by END,
    paid_at = CASE WHEN a.completes THEN now() ELSE i.paid_at END
  FROM (SELECT v.id, sum(g.units) AS units,
          v.status IN ('pending', 'cancelled') AND v.paid_units + sum(g.units) >= v.amount_units AS completes
        FROM unnest(invoices, units) AS g (invoice_id, units) JOIN invoice v ON v.id = g.invoice_id GROUP BY v.id) a
  WHERE i.id = a.id;
END
$function$;

CREATE OR REPLACE FUNCTION app.telegram_counts(telegram_user_id text, set_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((telegram_user_id ~ '^[1-9][0-9]{0,15}$'::text) AND (set_at <= (now() - '30 days'::interval)));

CREATE OR REPLACE FUNCTION app.telegram_id_taken(in_community uuid, wanted text, besides uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
  taken boolean;
BEGIN
  taken := EXISTS (SELECT FROM trader t WHERE t.telegram_user_id = wanted AND t.telegram_user_id <> ''
    AND t.community_id = in_community AND t.id IS DISTINCT FROM besides);
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN taken;
END
$function$;

CREATE OR REPLACE FUNCTION app.tip_limit()
 RETURNS numeric
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT (((COALESCE(s.value, d.value, '"1"'::jsonb) #>> '{}'::text[]))::numeric * ('1000000000000000000'::bigint)::numeric)
    FROM ((( VALUES ('tip_up_to_usdt'::text)) n(name)
      LEFT JOIN platform_setting s ON ((s.name = n.name)))
      LEFT JOIN platform_setting_default d ON ((d.name = n.name)));
END;

CREATE OR REPLACE FUNCTION app.trader_marks(ids uuid[])
 RETURNS TABLE(trader_id uuid, is_part boolean, below_minimum numeric, vip_level integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  everything boolean := caller_scope = 'all';
BEGIN
  IF everything THEN
    IF ids IS NULL THEN
      ids := ARRAY(SELECT id FROM trader);
    END IF;
  ELSIF ids IS NULL THEN
    ids := ARRAY(SELECT DISTINCT p.trader_id FROM trader_provider p WHERE p.provider_id = ANY (mine));
  ELSE
    ids := ARRAY(SELECT w.id FROM (SELECT DISTINCT id FROM unnest(ids) u (id)) w
      WHERE EXISTS (SELECT FROM trader_provider p WHERE p.trader_id = w.id AND p.provider_id = ANY (mine) OFFSET 0));
  END IF;
  RETURN QUERY
    SELECT t.id, NOT everything AND t.account_count > (SELECT sum(p.account_count) FROM trader_provider p
        WHERE p.trader_id = t.id AND p.provider_id = ANY (mine)),
      -- Whoever has an account that was not read yet may have enough.
      CASE WHEN coalesce(t.aum, 0) < c.minimum_balance AND NOT EXISTS (SELECT FROM exchange_account a
          WHERE a.trader_id = t.id AND a.removed_at IS NULL AND a.equity IS NULL) THEN c.minimum_balance END,
      coalesce((SELECT v.level FROM vip_tier v WHERE v.min_aum <= t.aum ORDER BY v.min_aum DESC LIMIT 1), 0)
    FROM unnest(ids) w (id) JOIN trader t ON t.id = w.id
    LEFT JOIN community c ON c.id = t.community_id AND (everything OR EXISTS (SELECT FROM community_provider l
      WHERE l.community_id = c.id AND l.provider_id = ANY (mine)));
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.trader_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  UPDATE trader_provider SET community_id = NEW.community_id, reference_sort = NEW.reference_sort,
    handle_sort = NEW.handle_sort, created_at = NEW.created_at
  WHERE trader_id = NEW.id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.trader_parts_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  touched uuid[];
BEGIN
  IF app.bulk_loading() THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM added WHERE is_shared;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT trader_id) INTO touched FROM taken WHERE is_shared;
  ELSE
    SELECT array_agg(DISTINCT trader_id) INTO touched
    FROM (SELECT trader_id FROM added WHERE is_shared UNION SELECT trader_id FROM taken WHERE is_shared) both_sides;
  END IF;
  IF touched IS NOT NULL THEN
    PERFORM app.refresh_trader_sets(touched, NULL);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.trader_removed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  INSERT INTO change_event (topic, entity_id, provider_ids)
  VALUES ('trader', OLD.id, ARRAY(SELECT provider_id FROM trader_provider WHERE trader_id = OLD.id));
  DELETE FROM closed_position_day d
  USING exchange_account a
  WHERE a.id = d.account_id AND a.trader_id = OLD.id AND a.removed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM closed_position c WHERE c.account_id = a.id);
  DELETE FROM exchange_account a
  WHERE a.trader_id = OLD.id AND a.removed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM closed_position c WHERE c.account_id = a.id)
    AND NOT EXISTS (SELECT FROM account_reading r WHERE r.account_id = a.id
      AND (r.last_read_until IS NOT NULL OR r.unread_until IS NOT NULL));
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN OLD;
END
$function$;

CREATE OR REPLACE FUNCTION app.trader_seen()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  SELECT community_id, reference_sort, handle_sort, created_at
  INTO NEW.community_id, NEW.reference_sort, NEW.handle_sort, NEW.created_at
  FROM trader WHERE id = NEW.trader_id;
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.trader_texts_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  changed uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id) INTO changed FROM new_traders;
  ELSE
    SELECT array_agg(n.id) INTO changed FROM new_traders n JOIN old_traders o USING (id)
    WHERE (n.reference_number, n.name, n.telegram_username, n.telegram_user_id, n.email, n.deposit_address,
        n.external_wallet_address)
      IS DISTINCT FROM (o.reference_number, o.name, o.telegram_username, o.telegram_user_id, o.email,
        o.deposit_address, o.external_wallet_address);
  END IF;
  IF changed IS NOT NULL AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_trader_text(changed);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.trader_written()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  changed uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id) INTO changed FROM new_traders;
  ELSE
    SELECT array_agg(n.id) INTO changed FROM new_traders n JOIN old_traders o USING (id)
    WHERE (n.status, n.community_id, n.selected_provider_id, n.reference_number, n.name, n.email, n.telegram_username,
        n.telegram_user_id, n.language, n.external_wallet_address, n.referral_code, n.referred_by_trader_id)
      IS DISTINCT FROM (o.status, o.community_id, o.selected_provider_id, o.reference_number, o.name, o.email,
        o.telegram_username, o.telegram_user_id, o.language, o.external_wallet_address, o.referral_code,
        o.referred_by_trader_id);
  END IF;
  IF changed IS NOT NULL AND NOT app.bulk_loading() THEN
    PERFORM app.refresh_traders(changed);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION app.traders_with_text(part text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER ROWS 30000
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  mine uuid[] := app.provider_ids();
  caller_scope text := app.open_scope();
  needle text := lower(part);
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
BEGIN
  RETURN QUERY EXECUTE format($query$SELECT x.trader_id FROM trader_text x
    WHERE x.kind <> 'reference' AND %s AND ($1 OR x.provider_id = ANY ($2) OR (x.provider_id IS NULL AND x.trader_id IN (
      SELECT p.trader_id FROM trader_provider p WHERE p.provider_id = ANY ($2))))$query$,
    CASE WHEN length(needle) < 3 THEN format('app.short_parts(x.value) @> ARRAY[%L]', needle)
      ELSE format('x.value LIKE %L', pattern) END) USING caller_scope = 'all', mine;
  PERFORM set_config('copydesk.scope', caller_scope, true);
END
$function$;

CREATE OR REPLACE FUNCTION app.unfreeze_wallet(wallet uuid)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 UPDATE chain_wallet w SET frozen_because = NULL::text, frozen_at = NULL::timestamp with time zone, next_nonce = n.nonce, first_nonce = n.nonce
    FROM ( SELECT
                 CASE f.frozen_because
                     WHEN 'nonce_gap'::text THEN GREATEST(f.chain_nonce, ( SELECT (max(i.nonce) + 1)
                        FROM transfer i
                       WHERE (i.wallet_id = f.id)))
                     ELSE GREATEST(f.next_nonce, f.chain_nonce)
                 END AS nonce
            FROM chain_wallet f
           WHERE (f.id = unfreeze_wallet.wallet)) n
   WHERE ((w.id = unfreeze_wallet.wallet) AND (w.frozen_because IS NOT NULL))
   RETURNING w.next_nonce;
END;

CREATE OR REPLACE FUNCTION app.unread_differs()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  caller_scope text := app.open_scope();
BEGIN
  NEW.is_unread_decided := EXISTS (SELECT FROM difference_decision x
    WHERE x.kind = 'unread_closes' AND x.subject_id = NEW.account_id AND x.seen = app.iso(NEW.unread_until));
  PERFORM set_config('copydesk.scope', caller_scope, true);
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION app.unread_seals(OUT seq bigint, OUT "position" bigint)
 RETURNS SETOF record
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH first AS MATERIALIZED (
    SELECT s.position FROM audit_seal s WHERE s.keyed_by IS NULL),
  read AS MATERIALIZED (
    SELECT greatest(
      (SELECT max(t.position) FROM audit_text t),
      (SELECT max(t.seq) FROM audit_text t WHERE t.seq <= (SELECT f.position FROM first f)), 0) AS position)
  SELECT e.seq, e.seq FROM audit_entry e, first f, read r WHERE e.seq > r.position AND e.seq <= f.position
  UNION ALL
  SELECT s.seq, s.position FROM audit_seal s, read r WHERE s.position > r.position AND s.keyed_by IS NOT NULL
$function$;

CREATE OR REPLACE FUNCTION app.use_pool_answer(request uuid, wanted text)
 RETURNS pool_exchange_request
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  answer pool_exchange_request;
BEGIN
  UPDATE pool_exchange_request r SET used_at = now()
  WHERE r.id = request AND r.kind = wanted AND r.requested_by = app.caller() AND r.used_at IS NULL
    AND r.answered_at > now() - interval '5 minutes' AND r.problem IS NULL AND r.refusal IS NULL AND r.uid IS NOT NULL
  RETURNING * INTO answer;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the request % has no answer that can be used', request
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN answer;
END
$function$;

CREATE OR REPLACE FUNCTION app.utc_day(at timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((at AT TIME ZONE 'UTC'::text))::date;

CREATE OR REPLACE FUNCTION app.uuid_by_time()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN uuidv7();

CREATE OR REPLACE FUNCTION app.void_planned(payouts uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  voided integer;
BEGIN
  UPDATE transfer SET state = 'void', ended_at = now(), problem = NULL, problem_detail = NULL, retry_at = NULL
  WHERE payout_id = ANY (payouts) AND state = 'planned';
  GET DIAGNOSTICS voided = ROW_COUNT;
  RETURN voided;
END
$function$;

CREATE OR REPLACE FUNCTION app.void_unsignable(ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 UPDATE transfer t SET state = 'void'::text, ended_at = now(), problem = NULL::text, problem_detail = NULL::text, retry_at = NULL::timestamp with time zone
    FROM chain_wallet w
   WHERE ((w.id = t.wallet_id) AND (t.id = ANY (void_unsignable.ids)) AND (t.state = 'planned'::text) AND ((w.frozen_because IS NOT NULL) OR (t.problem <> 'waits_for_gas'::text)))
   RETURNING t.id;
END;

CREATE OR REPLACE FUNCTION app.wake(channel text, payload text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF current_setting('copydesk.wakes', true) = 'after' THEN
    RAISE NOTICE USING ERRCODE = 'CDW01', MESSAGE = channel || ' ' || payload;
  ELSE
    PERFORM pg_notify(channel, payload);
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION app.words_count()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT (EXISTS ( SELECT
            FROM platform_bot_reading r
           WHERE (r.counts_from <= now()))) AS "exists";
END;

CREATE OR REPLACE FUNCTION app.words_query(typed text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT to_tsquery('pg_catalog.simple', string_agg('''' || w.lexeme || ''':*', ' & '))
  FROM unnest(app.parted_words(typed)) w
$function$;

CREATE OR REPLACE FUNCTION app.write_off_limit()
 RETURNS numeric
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT (((COALESCE(s.value, d.value, '1000'::jsonb) #>> '{}'::text[]))::numeric * ('1000000000000000000'::bigint)::numeric)
    FROM ((( VALUES ('write_off_above_usdt'::text)) n(name)
      LEFT JOIN platform_setting s ON ((s.name = n.name)))
      LEFT JOIN platform_setting_default d ON ((d.name = n.name)));
END;

CREATE OR REPLACE FUNCTION app.written_off_lately()
 RETURNS TABLE(by_id text, units numeric)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT w.by_id,
     sum(w.units) AS sum
    FROM ( SELECT o.requested_by_id AS by_id,
             max(l.amount_units) AS units
            FROM ((money_order o
              JOIN money_order_line l ON ((l.order_id = o.id)))
              JOIN invoice i ON ((i.id = l.subject_id)))
           WHERE (app.is_write_off(o.act) AND (o.state = 'approved'::text) AND (o.amount_units > (0)::numeric) AND (o.requested_at > (now() - '24:00:00'::interval)) AND ((i.status = 'cancelled'::text) OR (i.settled_by = 'manual'::text) OR ((i.status = 'pending'::text) AND i.is_archived) OR (o.act = 'sale_discounted'::text) OR (o.requested_at = now())))
           GROUP BY o.requested_by_id, l.subject_id, (o.act = 'sale_discounted'::text)) w
   GROUP BY w.by_id;
END;

CREATE OR REPLACE FUNCTION identity.announce_hosted_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('copydesk_access', h.user_id::text) FROM identity.hosted_user h WHERE h.hosted_id = NEW.hosted_id;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION identity.guard_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  was_super boolean := false;
  was_confirmed boolean := false;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.user_id <> OLD.user_id OR (NEW.accepted_at IS NULL AND OLD.accepted_at IS NOT NULL) THEN
      RAISE EXCEPTION 'access stays with its user' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    was_super := OLD.super AND OLD.disabled_at IS NULL;
    was_confirmed := OLD.confirmed_at IS NOT NULL;
  END IF;
  IF NEW.super AND identity.needs_no_sponsor(NEW.user_id) THEN
    RETURN NEW;
  END IF;
  IF NEW.super AND NOT was_super THEN
    NEW.confirmed_at := NULL;
    NEW.confirmed_by_id := NULL;
  ELSIF NEW.confirmed_at IS NOT NULL AND NEW.confirmed_by_id IS NULL
    AND (NOT was_confirmed OR OLD.confirmed_by_id IS NOT NULL OR OLD.confirmed_at <> NEW.confirmed_at) THEN
    RAISE EXCEPTION 'only the operator of the server confirms without a super admin'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  -- Approvers have a minimum age, which begins when they can sign in.
  IF NEW.super_since IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.super_since IS DISTINCT FROM OLD.super_since
    OR OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL) THEN
    NEW.super_since := greatest(NEW.super_since, now());
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION identity.hosted_event_stored()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NEW.subject_kind = 'session' THEN
    INSERT INTO identity.hosted_session AS s (id, hosted_id, first_seen_at, ended_at)
    VALUES (NEW.subject_id, NEW.hosted_id, now(), now())
    ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at WHERE s.ended_at IS NULL;
  ELSIF EXISTS (SELECT FROM pgboss.queue q WHERE q.name = 'clerk-sync') THEN
    PERFORM app.request_sync('clerk-sync', NEW.subject_kind, NEW.subject_id,
      CASE WHEN NEW.subject_kind = 'ended_sessions' THEN NEW.happened_at END);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION identity.is_active_super(wanted uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT (EXISTS ( SELECT
            FROM identity.user_access a
           WHERE ((a.user_id = is_active_super.wanted) AND a.super AND (a.disabled_at IS NULL) AND (a.accepted_at IS NOT NULL)))) AS "exists";
END;

CREATE OR REPLACE FUNCTION identity.keep_a_super()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('copydesk.super-admins'));
  IF NOT EXISTS (SELECT FROM identity.user_access a
    WHERE a.super AND a.disabled_at IS NULL AND a.accepted_at IS NOT NULL)
  THEN
    RAISE EXCEPTION 'at least one active super admin must remain' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION identity.needs_no_sponsor(candidate uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT ((NOT (EXISTS ( SELECT
            FROM identity.user_access a
           WHERE ((a.user_id <> needs_no_sponsor.candidate) AND a.super AND (a.disabled_at IS NULL) AND (a.accepted_at IS NOT NULL))))) OR ((EXISTS ( SELECT
            FROM demo_world)) AND (EXISTS ( SELECT
            FROM identity."user" u
           WHERE ((u.id = needs_no_sponsor.candidate) AND (u.email ~~ '%@demo.example'::text))))));
END;

CREATE OR REPLACE FUNCTION identity.refuse_confirmation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM identity.user_access a
      WHERE a.user_id = NEW.confirmed_by_id AND a.super AND a.disabled_at IS NULL AND a.confirmed_at IS NOT NULL)
    OR NEW.confirmed_by_id IN (SELECT identity.sponsors_of(NEW.user_id))
  THEN
    RAISE EXCEPTION 'a super admin is confirmed by an independent, confirmed one'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION identity.require_sponsor()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.super AND OLD.disabled_at IS NULL OR identity.needs_no_sponsor(NEW.user_id) THEN
    RETURN NULL;
  ELSIF EXISTS (SELECT FROM identity.hosted_user h WHERE h.user_id = NEW.user_id)
    AND NOT EXISTS (SELECT FROM identity.sign_in_service s WHERE s.kind = 'embedded') THEN
    RETURN NULL;
  ELSIF NOT EXISTS (SELECT FROM identity.user_sponsor s
    WHERE s.user_id = NEW.user_id AND s.xid = pg_current_xact_id() AND identity.is_active_super(s.sponsor_id))
  THEN
    RAISE EXCEPTION 'a super admin is made by another one, who is noted as its sponsor'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION identity.sponsors_of(wanted uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 WITH RECURSIVE line(id) AS (
          SELECT s.sponsor_id
            FROM identity.user_sponsor s
           WHERE (s.user_id = sponsors_of.wanted)
         UNION
          SELECT s.sponsor_id
            FROM ((line line_1
              JOIN identity.user_access a ON (((a.user_id = line_1.id) AND (a.confirmed_at IS NULL))))
              JOIN identity.user_sponsor s ON ((s.user_id = line_1.id)))
         )
  SELECT line.id
    FROM line;
END;

CREATE OR REPLACE FUNCTION identity.stamp_sponsor()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF app.is_api() AND NOT identity.is_active_super(NEW.sponsor_id) THEN
    RAISE EXCEPTION 'a sponsor is an active super admin' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  NEW.xid := pg_current_xact_id();
  RETURN NEW;
END
$function$;
