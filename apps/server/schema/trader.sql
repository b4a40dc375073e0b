-- Written by `npm run generate` from a migrated database. Do not edit.

-- Traders, each in one community.
CREATE TABLE trader (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL,
  selected_provider_id uuid,
  status text NOT NULL DEFAULT 'pending',
  suggested_delinquent_at timestamptz,
  reference_number text,
  name text,
  email text,
  telegram_username text,
  telegram_user_id text,
  language text NOT NULL DEFAULT 'en',
  external_wallet_address text,
  referral_code text NOT NULL,
  referred_by_trader_id uuid,
  -- Path index of the deposit address below the platform's master public key (BIP-44).
  deposit_index integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  deposit_address text,
  last_updated_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Sum over the equity of all accounts, and pool_capital; kept by app.refresh_traders like account_count. NULL: no
  -- equity was read yet, and no capital.
  aum numeric(28,8),
  aum_read_at timestamptz,
  account_count integer NOT NULL DEFAULT 0,
  -- The tab of the list. An index serves each order of each tab, forwards and backwards.
  tab text GENERATED ALWAYS AS (CASE WHEN status <> 'pending' THEN status WHEN account_count > 0 THEN 'inbox'
    ELSE NULL::text END) STORED,
  reference_sort text GENERATED ALWAYS AS (lower(COALESCE(reference_number, ''))) STORED,
  handle_sort text GENERATED ALWAYS AS (lower(COALESCE(NULLIF(telegram_username, ''), name, ''))) STORED,
  -- When the imported payments of this trader were compared with the chain. NULL: not yet. A trader created here has
  -- none to compare.
  books_opened_at timestamptz DEFAULT now(),
  -- The nearest float8 to aum, for pages that start after a given row: PostgreSQL uses no index for a range of
  -- numeric under row-level security, because its comparisons are not leakproof; those of float8 are. A rank never
  -- orders rows differently than the amount, and two ranks are equal only where the amounts differ by less than one
  -- part in 10^15.
  aum_rank double precision NOT NULL
    GENERATED ALWAYS AS (COALESCE(aum::double precision, '-Infinity'::double precision)) STORED,
  -- Who added the trader: staff in the console, a program with a service token, or the bot of its community. NULL:
  -- added before this was recorded.
  source text,
  -- When telegram_user_id was last set or changed, by whomever; the database writes it. Of traders of before: when
  -- this was first recorded.
  telegram_set_at timestamptz NOT NULL DEFAULT now(),
  -- Virtual balances in pools, USD, cut off after eight decimals. Part of aum.
  pool_capital numeric(28,8) NOT NULL DEFAULT 0,
  -- Whether an older trader had this reference number in other letters before these were compared.
  reference_clash boolean NOT NULL DEFAULT false,
  CONSTRAINT trader_check CHECK (referred_by_trader_id <> id),
  CONSTRAINT trader_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id),
  CONSTRAINT trader_deposit_address_check CHECK (deposit_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT trader_deposit_index_key UNIQUE (deposit_index),
  CONSTRAINT trader_external_wallet_address_check CHECK (external_wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT trader_language_check CHECK (language = ANY (ARRAY['en', 'es', 'ar', 'pl', 'ru'])),
  CONSTRAINT trader_pkey PRIMARY KEY (id),
  CONSTRAINT trader_reference_number_check CHECK (reference_number <> ''),
  CONSTRAINT trader_reference_number_key UNIQUE (reference_number),
  CONSTRAINT trader_referral_code_key UNIQUE (referral_code),
  CONSTRAINT trader_referred_by_trader_id_fkey FOREIGN KEY (referred_by_trader_id) REFERENCES trader(id)
    ON DELETE SET NULL,
  CONSTRAINT trader_selected_provider_id_fkey FOREIGN KEY (selected_provider_id) REFERENCES provider(id),
  CONSTRAINT trader_source_check CHECK (source = ANY (ARRAY['staff', 'program', 'bot'])),
  CONSTRAINT trader_status_check CHECK (status = ANY (ARRAY['pending', 'connected', 'delinquent']))
);

CREATE INDEX trader_books_to_open ON trader (id) WHERE books_opened_at IS NULL;
CREATE INDEX trader_by_aum ON trader (aum_rank DESC, id);
CREATE INDEX trader_by_community ON trader (community_id, tab) INCLUDE (aum, account_count);
CREATE INDEX trader_by_created ON trader (created_at, id);
CREATE INDEX trader_by_deposit_address ON trader (lower(deposit_address)) WHERE deposit_address IS NOT NULL;
CREATE INDEX trader_by_handle ON trader (handle_sort, id);
CREATE INDEX trader_by_joining ON trader (community_id, created_at) INCLUDE (source, referred_by_trader_id);
CREATE INDEX trader_by_provider ON trader (selected_provider_id);
CREATE INDEX trader_by_reference ON trader (reference_sort, id);
CREATE INDEX trader_by_referrer ON trader (referred_by_trader_id) WHERE referred_by_trader_id IS NOT NULL;
CREATE INDEX trader_by_tab_aum ON trader (tab, aum_rank DESC, id) INCLUDE (aum);
CREATE INDEX trader_by_tab_handle ON trader (tab, handle_sort, id);
CREATE INDEX trader_by_tab_reference ON trader (tab, reference_sort, id);
CREATE INDEX trader_by_telegram ON trader (telegram_user_id, community_id) WHERE telegram_user_id <> '';
CREATE UNIQUE INDEX trader_deposit_address_key ON trader (deposit_address) WHERE deposit_address IS NOT NULL;
CREATE UNIQUE INDEX trader_reference_unique ON trader (reference_sort)
  WHERE reference_number IS NOT NULL AND NOT reference_clash;
CREATE INDEX trader_suggested ON trader (suggested_delinquent_at)
  WHERE suggested_delinquent_at IS NOT NULL AND status <> 'delinquent';

ALTER TABLE trader ENABLE ROW LEVEL SECURITY;
ALTER TABLE trader FORCE ROW LEVEL SECURITY;
CREATE POLICY trader_creation ON trader FOR INSERT
  WITH CHECK ((selected_provider_id = ANY (((SELECT app.provider_ids()))::uuid[]))
    AND (EXISTS (SELECT FROM community c WHERE c.id = trader.community_id)));
CREATE POLICY trader_scope ON trader FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM trader_provider tp
    WHERE tp.trader_id = trader.id AND (tp.provider_id = ANY (((SELECT app.provider_ids()))::uuid[])) OFFSET 0)))
  WITH CHECK ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM trader_provider tp
    WHERE tp.trader_id = trader.id AND (tp.provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))));

CREATE TRIGGER payout_address_changed AFTER UPDATE OF external_wallet_address ON trader FOR EACH ROW
  WHEN (lower(new.external_wallet_address) IS DISTINCT FROM lower(old.external_wallet_address)
  AND app.is_application()) EXECUTE FUNCTION app.note_payout_address('trader', 'id', 'external_wallet_address');
CREATE TRIGGER payout_address_given AFTER INSERT ON trader FOR EACH ROW
  WHEN (new.external_wallet_address IS NOT NULL AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('trader', 'id', 'external_wallet_address');
CREATE TRIGGER reference_changed AFTER UPDATE OF reference_number ON trader FOR EACH ROW
  WHEN (old.reference_number IS NOT NULL AND new.reference_number IS DISTINCT FROM old.reference_number)
  EXECUTE FUNCTION app.reference_freed();
CREATE TRIGGER reference_compared BEFORE INSERT OR UPDATE OF reference_number, reference_clash ON trader FOR EACH ROW
  EXECUTE FUNCTION app.reference_compared();
CREATE TRIGGER reference_left AFTER DELETE ON trader FOR EACH ROW WHEN (old.reference_number IS NOT NULL)
  EXECUTE FUNCTION app.reference_freed();
CREATE TRIGGER reference_written AFTER UPDATE OF reference_number ON trader FOR EACH ROW
  WHEN (old.reference_number IS DISTINCT FROM new.reference_number) EXECUTE FUNCTION app.reference_written();
CREATE TRIGGER referrer_changed AFTER UPDATE OF referred_by_trader_id ON trader FOR EACH ROW
  WHEN (new.referred_by_trader_id IS DISTINCT FROM old.referred_by_trader_id AND app.is_api())
  EXECUTE FUNCTION app.note_payout_address('trader_referrer', 'id', 'referred_by_trader_id');
CREATE TRIGGER referrer_given AFTER INSERT ON trader FOR EACH ROW
  WHEN (new.referred_by_trader_id IS NOT NULL AND app.is_api())
  EXECUTE FUNCTION app.note_payout_address('trader_referrer', 'id', 'referred_by_trader_id');
CREATE TRIGGER telegram_id_changed BEFORE UPDATE ON trader FOR EACH ROW
  WHEN ((new.telegram_user_id IS DISTINCT FROM old.telegram_user_id
  OR new.telegram_set_at IS DISTINCT FROM old.telegram_set_at) AND app.is_application())
  EXECUTE FUNCTION app.note_telegram_id();
CREATE TRIGGER telegram_id_given BEFORE INSERT ON trader FOR EACH ROW WHEN (app.is_application())
  EXECUTE FUNCTION app.note_telegram_id();
CREATE TRIGGER texts_inserted AFTER INSERT ON trader REFERENCING NEW TABLE AS new_traders FOR EACH STATEMENT
  EXECUTE FUNCTION app.trader_texts_written();
CREATE TRIGGER texts_updated AFTER UPDATE ON trader REFERENCING OLD TABLE AS old_traders NEW TABLE AS new_traders
  FOR EACH STATEMENT EXECUTE FUNCTION app.trader_texts_written();
CREATE TRIGGER trader_address_first BEFORE UPDATE ON trader FOR EACH ROW
  WHEN (old.deposit_address IS NULL AND new.deposit_address IS NOT NULL AND app.is_api())
  EXECUTE FUNCTION app.refuse_other_address();
CREATE TRIGGER trader_address_given BEFORE INSERT ON trader FOR EACH ROW
  WHEN (new.deposit_address IS NOT NULL AND app.is_api()) EXECUTE FUNCTION app.refuse_other_address();
CREATE TRIGGER trader_address_kept BEFORE UPDATE ON trader FOR EACH ROW
  WHEN ((old.deposit_address IS NOT NULL AND new.deposit_address IS DISTINCT FROM old.deposit_address
  OR new.deposit_index <> old.deposit_index) AND app.is_api()) EXECUTE FUNCTION app.refuse_own_address();
CREATE TRIGGER trader_inserted AFTER INSERT ON trader REFERENCING NEW TABLE AS new_traders FOR EACH STATEMENT
  EXECUTE FUNCTION app.trader_written();
CREATE TRIGGER trader_moved AFTER UPDATE OF community_id, reference_number, telegram_username, name, created_at
  ON trader FOR EACH ROW
  WHEN (new.community_id IS DISTINCT FROM old.community_id OR new.reference_sort IS DISTINCT FROM old.reference_sort
  OR new.handle_sort IS DISTINCT FROM old.handle_sort OR new.created_at IS DISTINCT FROM old.created_at)
  EXECUTE FUNCTION app.trader_moved();
CREATE TRIGGER trader_removed BEFORE DELETE ON trader FOR EACH ROW EXECUTE FUNCTION app.trader_removed();
CREATE TRIGGER trader_updated AFTER UPDATE ON trader REFERENCING OLD TABLE AS old_traders NEW TABLE AS new_traders
  FOR EACH STATEMENT EXECUTE FUNCTION app.trader_written();
