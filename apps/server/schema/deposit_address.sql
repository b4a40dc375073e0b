-- Written by `npm run generate` from a migrated database. Do not edit.

-- The deposit address of each trader by its index, as a worker derived it from the seed, and of indexes to come.
CREATE TABLE deposit_address (
  deposit_index integer NOT NULL,
  address text NOT NULL,
  derived_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT deposit_address_check CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT deposit_address_pkey PRIMARY KEY (deposit_index)
);

ALTER TABLE deposit_address ENABLE ROW LEVEL SECURITY;
ALTER TABLE deposit_address FORCE ROW LEVEL SECURITY;
CREATE POLICY deposit_address_scope ON deposit_address FOR ALL
  USING ((SELECT app.sees_all()));
