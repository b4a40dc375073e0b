-- Written by `npm run generate` from a migrated database. Do not edit.

-- What a bot sells. Price and duration never change: whoever ordered a plan keeps its terms.
CREATE TABLE exchange_bot_plan (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  bot_id uuid NOT NULL,
  name text NOT NULL,
  days integer NOT NULL,
  amount_units numeric(38,0) NOT NULL,
  -- Whether it is offered.
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Gone from every list, and kept for what was sold.
  deleted_at timestamptz,
  CONSTRAINT exchange_bot_plan_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT exchange_bot_plan_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES exchange_bot(id) ON DELETE CASCADE,
  CONSTRAINT exchange_bot_plan_days_check CHECK (days >= 1 AND days <= 3650),
  CONSTRAINT exchange_bot_plan_name_check CHECK (name <> ''),
  CONSTRAINT exchange_bot_plan_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX exchange_bot_plan_by_name ON exchange_bot_plan (bot_id, lower(name)) WHERE deleted_at IS NULL;

ALTER TABLE exchange_bot_plan ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_bot_plan FORCE ROW LEVEL SECURITY;
CREATE POLICY exchange_bot_plan_scope ON exchange_bot_plan FOR ALL
  USING ((SELECT app.sees_all()));
