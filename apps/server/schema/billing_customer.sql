-- Written by `npm run generate` from a migrated database. Do not edit.

-- The customer at Stripe of each community that began to subscribe. It never changes.
CREATE TABLE billing_customer (
  community_id uuid NOT NULL,
  customer_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT billing_customer_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id) ON DELETE CASCADE,
  CONSTRAINT billing_customer_customer_id_check CHECK (customer_id <> ''),
  CONSTRAINT billing_customer_customer_id_key UNIQUE (customer_id),
  CONSTRAINT billing_customer_pkey PRIMARY KEY (community_id)
);

ALTER TABLE billing_customer ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_customer FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_customer_scope ON billing_customer FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM community_provider cp
    WHERE cp.community_id = billing_customer.community_id
    AND (cp.provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))))
  WITH CHECK ((SELECT app.sees_all()));
