-- The payment service is asked outside of transactions: what a crash may leave half done is recorded before it is asked.

CREATE TABLE billing_customer_intent (
  community_id uuid PRIMARY KEY REFERENCES community ON DELETE CASCADE,
  name text NOT NULL CHECK (name <> ''),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE billing_customer_intent IS
  'Communities whose customer at Stripe is being created. The row goes when the customer is stored; one that stays is finished by the daily comparison.';
COMMENT ON COLUMN billing_customer_intent.name IS 'Part of the key of the request at Stripe: repeated, it gives the same customer.';

ALTER TABLE billing_customer_intent ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_customer_intent FORCE ROW LEVEL SECURITY;
CREATE POLICY billing_customer_intent_scope ON billing_customer_intent FOR ALL USING ((SELECT app.sees_all()));
REVOKE ALL ON billing_customer_intent FROM copydesk_app;
GRANT SELECT, INSERT, DELETE ON billing_customer_intent TO copydesk_app;
