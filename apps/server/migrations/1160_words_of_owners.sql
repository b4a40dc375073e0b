-- The owner of a payout address says by Telegram whether it is theirs. Only workers write what they read there.

-- A word counts from an id that nobody changed for 30 days. When those of before were set is not known: they count from
-- 30 days after this.
ALTER TABLE trader ADD COLUMN telegram_set_at timestamptz NOT NULL DEFAULT now();
COMMENT ON COLUMN trader.telegram_set_at IS
  'When telegram_user_id was last set or changed, by whomever; the database writes it. Of traders of before: when this was first recorded.';

CREATE FUNCTION app.note_telegram_id() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
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
$$;
-- Imports of the owner of the database may know better.
CREATE TRIGGER telegram_id_given BEFORE INSERT ON trader FOR EACH ROW
  WHEN (app.is_application()) EXECUTE FUNCTION app.note_telegram_id();
CREATE TRIGGER telegram_id_changed BEFORE UPDATE ON trader FOR EACH ROW
  WHEN ((NEW.telegram_user_id IS DISTINCT FROM OLD.telegram_user_id
    OR NEW.telegram_set_at IS DISTINCT FROM OLD.telegram_set_at) AND app.is_application())
  EXECUTE FUNCTION app.note_telegram_id();

CREATE FUNCTION app.telegram_counts(telegram_user_id text, set_at timestamptz) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN telegram_user_id ~ '^[1-9][0-9]{0,15}$' AND set_at <= now() - interval '30 days';
COMMENT ON FUNCTION app.telegram_counts(text, timestamptz) IS
  'Whether a Telegram id may confirm an address: nobody set or changed it for 30 days.';
GRANT EXECUTE ON FUNCTION app.telegram_counts(text, timestamptz) TO copydesk_app;

CREATE TABLE platform_bot_reading (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  telegram_id bigint NOT NULL,
  counts_from timestamptz NOT NULL,
  last_update_id bigint,
  last_update_at timestamptz,
  answered_by uuid,
  lease_number bigint NOT NULL DEFAULT 0,
  leased_until timestamptz,
  read_at timestamptz,
  problem text CHECK (problem IN ('refused', 'other_reader', 'webhook', 'unavailable')),
  problem_at timestamptz
);
COMMENT ON TABLE platform_bot_reading IS
  'How far the updates of the platform''s bot are read, and which worker reads them. Only workers write it.';
COMMENT ON COLUMN platform_bot_reading.telegram_id IS 'The bot that is read.';
COMMENT ON COLUMN platform_bot_reading.counts_from IS
  'From when words read from this bot count: at once where its token is of the environment of workers, else 30 days after a worker first read it, since one person can store another token.';
COMMENT ON COLUMN platform_bot_reading.answered_by IS 'The worker that reads the bot, until its lease ends.';
COMMENT ON COLUMN platform_bot_reading.lease_number IS
  'Counts the workers: one that has lost its lease can no longer advance last_update_id.';
COMMENT ON COLUMN platform_bot_reading.read_at IS 'When Telegram last answered a request for updates.';
COMMENT ON COLUMN platform_bot_reading.problem IS 'Why it did not since. NULL: it did.';

CREATE TABLE payout_address_word (
  change_id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('confirmed', 'not_me')),
  trader_id uuid NOT NULL REFERENCES trader (id),
  address text NOT NULL,
  bot_telegram_id bigint NOT NULL,
  update_id bigint NOT NULL,
  telegram_user_id bigint NOT NULL,
  read_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX payout_address_word_by_trader ON payout_address_word (trader_id);
COMMENT ON TABLE payout_address_word IS
  'What the owner of a changed payout address said by Telegram, as a worker read it from the platform''s bot. Only workers write it. The first word to a change is the only one.';
COMMENT ON COLUMN payout_address_word.change_id IS
  'payout_address_change.id, which each change of an address renews: a word is about one address at one time.';

-- compatible: the version before does not know these tables
REVOKE INSERT, UPDATE, DELETE ON platform_bot_reading, payout_address_word FROM copydesk_app;
GRANT INSERT, UPDATE ON platform_bot_reading TO copydesk_worker;
GRANT INSERT ON payout_address_word TO copydesk_worker;
ALTER TABLE platform_bot_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_bot_reading FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_bot_reading_scope ON platform_bot_reading FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));
ALTER TABLE payout_address_word ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_address_word FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_address_word_scope ON payout_address_word FOR ALL
  USING ((SELECT app.sees_all())) WITH CHECK ((SELECT app.sees_all()));

CREATE FUNCTION app.words_count() RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM platform_bot_reading r WHERE r.counts_from <= now());
END;
COMMENT ON FUNCTION app.words_count() IS 'Whether words read from the present bot of the platform count.';
GRANT EXECUTE ON FUNCTION app.words_count() TO copydesk_app;

-- Whoever inserts it: a word is about the present address of an open change, from an id that counts.
CREATE FUNCTION app.refuse_word_of_others() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
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
$$;
CREATE TRIGGER word_read BEFORE INSERT ON payout_address_word FOR EACH ROW
  EXECUTE FUNCTION app.refuse_word_of_others();

-- A confirmation releases the address as another person would; the waiting time goes on.
CREATE FUNCTION app.release_by_word() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE payout_address_change SET released_at = now(), released_by_id = 'owner', released_by = 'its owner by Telegram'
  WHERE id = NEW.change_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER address_confirmed AFTER INSERT ON payout_address_word FOR EACH ROW
  WHEN (NEW.kind = 'confirmed') EXECUTE FUNCTION app.release_by_word();

-- No program releases in the name of an owner who has not said so; people may do so besides, as before.
CREATE FUNCTION app.refuse_release_without_word() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payout_address_word w
      WHERE w.change_id = NEW.id AND w.kind = 'confirmed' AND w.address = NEW.address) THEN
    RAISE EXCEPTION 'an address is released by its owner with a word of its owner'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER address_released_by_owner BEFORE UPDATE OF released_at, released_by_id, released_by
  ON payout_address_change FOR EACH ROW WHEN (NEW.released_by_id = 'owner' AND app.is_application())
  EXECUTE FUNCTION app.refuse_release_without_word();

-- Old rows have earlier kinds, so nothing has to be read.
ALTER TABLE message DROP CONSTRAINT message_kind_check,
  ADD CONSTRAINT message_kind_check CHECK (kind IN ('invoice_created', 'invoice_due_soon', 'invoice_overdue',
    'invoice_paid', 'unpaid_invoices', 'wallet_changed', 'withdrawal_ordered', 'wallet_confirmed', 'wallet_disowned',
    'wallet_no_effect', 'withdraw_funds', 'withdraw_reminder', 'withdrawal_cancelled', 'trial_ending',
    'payment_failed', 'grace_ending', 'subscription_ended')) NOT VALID;
