-- Written by `npm run generate` from a migrated database. Do not edit.

-- What the owner of a changed payout address said by Telegram, as a worker read it from the platform's bot. Only
-- workers write it. The first word to a change is the only one.
CREATE TABLE payout_address_word (
  -- payout_address_change.id, which each change of an address renews: a word is about one address at one time.
  change_id uuid NOT NULL,
  kind text NOT NULL,
  trader_id uuid NOT NULL,
  address text NOT NULL,
  bot_telegram_id bigint NOT NULL,
  update_id bigint NOT NULL,
  telegram_user_id bigint NOT NULL,
  read_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT payout_address_word_kind_check CHECK (kind = ANY (ARRAY['confirmed', 'not_me'])),
  CONSTRAINT payout_address_word_pkey PRIMARY KEY (change_id),
  CONSTRAINT payout_address_word_trader_id_fkey FOREIGN KEY (trader_id) REFERENCES trader(id)
);

CREATE INDEX payout_address_word_by_trader ON payout_address_word (trader_id);

ALTER TABLE payout_address_word ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_address_word FORCE ROW LEVEL SECURITY;
CREATE POLICY payout_address_word_scope ON payout_address_word FOR ALL
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER address_confirmed AFTER INSERT ON payout_address_word FOR EACH ROW WHEN (new.kind = 'confirmed')
  EXECUTE FUNCTION app.release_by_word();
CREATE TRIGGER word_read BEFORE INSERT ON payout_address_word FOR EACH ROW
  EXECUTE FUNCTION app.refuse_word_of_others();
