-- Written by `npm run generate` from a migrated database. Do not edit.

CREATE TABLE identity."user" (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  email text NOT NULL,
  email_verified boolean NOT NULL,
  image text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  two_factor_enabled boolean,
  CONSTRAINT user_email_key UNIQUE (email),
  CONSTRAINT user_pkey PRIMARY KEY (id)
);

CREATE INDEX user_by_creation ON identity."user" (created_at, id);
CREATE INDEX user_texts ON identity."user" USING gin (((email || ' ') || name) gin_trgm_ops);
