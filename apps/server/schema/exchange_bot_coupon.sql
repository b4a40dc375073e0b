-- Written by `npm run generate` from a migrated database. Do not edit.

-- Discounts of a bot. Their terms never change.
CREATE TABLE exchange_bot_coupon (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  bot_id uuid NOT NULL,
  code text NOT NULL,
  percent integer,
  amount_units numeric(38,0),
  starts_at timestamptz,
  ends_at timestamptz,
  -- NULL: unlimited.
  max_uses integer,
  max_uses_per_user integer,
  -- The plans that it is for; none: all plans.
  plan_ids uuid[] NOT NULL DEFAULT '{}'::uuid[],
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  CONSTRAINT exchange_bot_coupon_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT exchange_bot_coupon_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES exchange_bot(id) ON DELETE CASCADE,
  CONSTRAINT exchange_bot_coupon_code_check CHECK (code ~ '^[A-Z0-9_-]{3,32}$'),
  CONSTRAINT exchange_bot_coupon_kind CHECK (num_nonnulls(percent, amount_units) = 1),
  CONSTRAINT exchange_bot_coupon_max_uses_check CHECK (max_uses > 0),
  CONSTRAINT exchange_bot_coupon_max_uses_per_user_check CHECK (max_uses_per_user > 0),
  CONSTRAINT exchange_bot_coupon_percent_check CHECK (percent >= 1 AND percent <= 99),
  CONSTRAINT exchange_bot_coupon_period CHECK (ends_at > starts_at),
  CONSTRAINT exchange_bot_coupon_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX exchange_bot_coupon_by_code ON exchange_bot_coupon (bot_id, code) WHERE deleted_at IS NULL;

ALTER TABLE exchange_bot_coupon ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_coupon FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_coupon_scope ON exchange_bot_coupon FOR ALL
  USING ((SELECT app.sees_all()));
