-- Written by `npm run generate` from a migrated database. Do not edit.

-- The service of the worker that started last. Where it is embedded, every super admin has a sponsor.
CREATE TABLE identity.sign_in_service (
  is_one boolean NOT NULL DEFAULT true,
  kind text NOT NULL,
  noted_at timestamptz NOT NULL,
  CONSTRAINT sign_in_service_is_one_check CHECK (is_one),
  CONSTRAINT sign_in_service_kind_check CHECK (kind = ANY (ARRAY['embedded', 'hosted'])),
  CONSTRAINT sign_in_service_pkey PRIMARY KEY (is_one)
);
