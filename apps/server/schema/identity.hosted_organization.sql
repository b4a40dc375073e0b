-- Written by `npm run generate` from a migrated database. Do not edit.

-- Which organisation at the hosted identity service is which provider, as read with the memberships of a person. It
-- narrows the rights of whoever works in it, and gives none.
CREATE TABLE identity.hosted_organization (
  hosted_id text NOT NULL,
  -- Null: the organisation belongs to no provider, and working in it changes nothing here.
  provider_id uuid,
  CONSTRAINT hosted_organization_hosted_id_check CHECK (hosted_id <> ''),
  CONSTRAINT hosted_organization_pkey PRIMARY KEY (hosted_id)
);
