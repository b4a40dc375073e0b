-- Written by `npm run generate` from a migrated database. Do not edit.

-- Sets of several providers that users hold.
CREATE TABLE provider_set (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  -- In order, without duplicates.
  provider_ids uuid[] NOT NULL,
  CONSTRAINT provider_set_pkey PRIMARY KEY (id),
  CONSTRAINT provider_set_provider_ids_check CHECK (cardinality(provider_ids) > 1),
  CONSTRAINT provider_set_provider_ids_key UNIQUE (provider_ids)
);

ALTER TABLE provider_set ENABLE ROW LEVEL SECURITY;
ALTER TABLE provider_set FORCE ROW LEVEL SECURITY;
CREATE POLICY provider_set_scope ON provider_set FOR ALL
  USING ((SELECT app.sees_all()) OR provider_ids <@ ((SELECT app.provider_ids())));
