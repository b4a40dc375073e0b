-- Written by `npm run generate` from a migrated database. Do not edit.

-- Requests of one address to one path of /api/auth.
CREATE TABLE identity.rate_limit (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  key text NOT NULL,
  count integer NOT NULL,
  last_request bigint NOT NULL,
  CONSTRAINT rate_limit_key_key UNIQUE (key),
  CONSTRAINT rate_limit_pkey PRIMARY KEY (id)
);
