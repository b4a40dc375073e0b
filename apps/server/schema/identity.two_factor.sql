-- Written by `npm run generate` from a migrated database. Do not edit.

CREATE TABLE identity.two_factor (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  secret text NOT NULL,
  backup_codes text NOT NULL,
  user_id uuid NOT NULL,
  verified boolean,
  failed_verification_count integer,
  locked_until timestamptz,
  CONSTRAINT two_factor_pkey PRIMARY KEY (id),
  CONSTRAINT two_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

CREATE INDEX two_factor_secret_idx ON identity.two_factor (secret);
CREATE INDEX two_factor_user_id_idx ON identity.two_factor (user_id);
