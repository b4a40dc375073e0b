-- Written by `npm run generate` from a migrated database. Do not edit.

-- Short-lived secrets of the library: password resets, two-factor challenges. Found by a hash.
CREATE TABLE identity.verification (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT verification_pkey PRIMARY KEY (id)
);

CREATE INDEX verification_identifier_idx ON identity.verification (identifier);
