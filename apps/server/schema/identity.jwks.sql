-- Written by `npm run generate` from a migrated database. Do not edit.

-- Keys that sign access tokens. The private half is encrypted with the identity secret.
CREATE TABLE identity.jwks (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  public_key text NOT NULL,
  private_key text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  alg text,
  crv text,
  CONSTRAINT jwks_pkey PRIMARY KEY (id)
);
