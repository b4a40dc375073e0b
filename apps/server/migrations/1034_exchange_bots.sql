-- The exchange bot of a community: a Telegram bot of its own that sells access. What it offers is here; what it sold are
-- invoices of type exchange_bot.

CREATE TABLE exchange_bot (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  community_id uuid NOT NULL UNIQUE REFERENCES community ON DELETE CASCADE,
  telegram_id bigint NOT NULL UNIQUE CHECK (telegram_id > 0),
  username text NOT NULL CHECK (username <> ''),
  name text NOT NULL CHECK (name <> ''),
  language text NOT NULL CHECK (language IN ('en', 'es', 'ar', 'pl', 'ru')),
  is_active boolean NOT NULL DEFAULT true,
  problem text CHECK (problem IN ('refused', 'unavailable', 'unreadable')),
  checked_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE exchange_bot IS 'Telegram bots of communities that sell access, one for each.';
COMMENT ON COLUMN exchange_bot.telegram_id IS 'The id of the bot at Telegram, which its token begins with.';
COMMENT ON COLUMN exchange_bot.name IS 'Name and username as Telegram had them at the last check.';
COMMENT ON COLUMN exchange_bot.language IS 'For people whose own language the bot does not speak.';
COMMENT ON COLUMN exchange_bot.problem IS 'Why the last check failed. NULL: it did not.';

CREATE TABLE exchange_bot_token (
  bot_id uuid PRIMARY KEY REFERENCES exchange_bot ON DELETE CASCADE,
  version int NOT NULL DEFAULT 1,
  ciphertext bytea NOT NULL,
  wrapped_key bytea NOT NULL,
  master_key_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE exchange_bot_token IS
  'The encrypted token of a bot: the value under its own key, that key wrapped by the master key.';

CREATE TABLE exchange_bot_plan (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bot_id uuid NOT NULL REFERENCES exchange_bot ON DELETE CASCADE,
  name text NOT NULL CHECK (name <> ''),
  days int NOT NULL CHECK (days BETWEEN 1 AND 3650),
  amount_units numeric(38, 0) NOT NULL CHECK (amount_units > 0),
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
COMMENT ON TABLE exchange_bot_plan IS
  'What a bot sells. Price and duration never change: whoever ordered a plan keeps its terms.';
COMMENT ON COLUMN exchange_bot_plan.is_active IS 'Whether it is offered.';
COMMENT ON COLUMN exchange_bot_plan.deleted_at IS 'Gone from every list, and kept for what was sold.';
CREATE UNIQUE INDEX exchange_bot_plan_by_name ON exchange_bot_plan (bot_id, lower(name)) WHERE deleted_at IS NULL;

CREATE TABLE exchange_bot_coupon (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bot_id uuid NOT NULL REFERENCES exchange_bot ON DELETE CASCADE,
  code text NOT NULL CHECK (code ~ '^[A-Z0-9_-]{3,32}$'),
  percent int CHECK (percent BETWEEN 1 AND 99),
  amount_units numeric(38, 0) CHECK (amount_units > 0),
  starts_at timestamptz,
  ends_at timestamptz,
  max_uses int CHECK (max_uses > 0),
  max_uses_per_user int CHECK (max_uses_per_user > 0),
  plan_ids uuid[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  CONSTRAINT exchange_bot_coupon_kind CHECK (num_nonnulls(percent, amount_units) = 1),
  CONSTRAINT exchange_bot_coupon_period CHECK (ends_at > starts_at)
);
COMMENT ON TABLE exchange_bot_coupon IS 'Discounts of a bot. Their terms never change.';
COMMENT ON COLUMN exchange_bot_coupon.plan_ids IS 'The plans that it is for; none: all plans.';
COMMENT ON COLUMN exchange_bot_coupon.max_uses IS 'NULL: unlimited.';
CREATE UNIQUE INDEX exchange_bot_coupon_by_code ON exchange_bot_coupon (bot_id, code) WHERE deleted_at IS NULL;

CREATE TABLE exchange_bot_faq (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bot_id uuid NOT NULL REFERENCES exchange_bot ON DELETE CASCADE,
  language text NOT NULL CHECK (language IN ('en', 'es', 'ar', 'pl', 'ru')),
  place int NOT NULL CHECK (place >= 0),
  question text NOT NULL CHECK (question <> ''),
  answer text NOT NULL CHECK (answer <> ''),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE exchange_bot_faq IS 'Questions that a bot answers, by language.';
COMMENT ON COLUMN exchange_bot_faq.place IS 'Order within a language, from 0 and without gaps.';
CREATE UNIQUE INDEX exchange_bot_faq_once ON exchange_bot_faq (bot_id, language, lower(question));
CREATE INDEX exchange_bot_faq_in_order ON exchange_bot_faq (bot_id, language, place);

ALTER TABLE exchange_bot ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_scope ON exchange_bot FOR ALL USING ((SELECT app.sees_all()));
ALTER TABLE exchange_bot_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_token FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_token_scope ON exchange_bot_token FOR ALL USING ((SELECT app.sees_all()));
ALTER TABLE exchange_bot_plan ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_plan FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_plan_scope ON exchange_bot_plan FOR ALL USING ((SELECT app.sees_all()));
ALTER TABLE exchange_bot_coupon ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_coupon FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_coupon_scope ON exchange_bot_coupon FOR ALL USING ((SELECT app.sees_all()));
ALTER TABLE exchange_bot_faq ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_faq FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_faq_scope ON exchange_bot_faq FOR ALL USING ((SELECT app.sees_all()));

GRANT SELECT, INSERT, UPDATE ON exchange_bot TO copydesk_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON exchange_bot_token TO copydesk_app;
GRANT SELECT, INSERT ON exchange_bot_plan TO copydesk_app;
GRANT UPDATE (name, is_active, deleted_at) ON exchange_bot_plan TO copydesk_app;
GRANT SELECT, INSERT ON exchange_bot_coupon TO copydesk_app;
GRANT UPDATE (deleted_at) ON exchange_bot_coupon TO copydesk_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON exchange_bot_faq TO copydesk_app;
