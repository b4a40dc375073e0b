-- Written by `npm run generate` from a migrated database. Do not edit.

-- Communities whose customer at Stripe is being created. The row goes when the customer is stored; one that stays is
-- finished by the daily comparison.
CREATE TABLE billing_customer_intent (
  community_id uuid NOT NULL,
  -- Part of the key of the request at Stripe: repeated, it gives the same customer.
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT billing_customer_intent_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id)
    ON DELETE CASCADE,
  CONSTRAINT billing_customer_intent_name_check CHECK (name <> ''),
  CONSTRAINT billing_customer_intent_pkey PRIMARY KEY (community_id)
);

ALTER TABLE billing_customer_intent ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_customer_intent FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_customer_intent_scope ON billing_customer_intent FOR ALL
  USING ((SELECT app.sees_all()));
