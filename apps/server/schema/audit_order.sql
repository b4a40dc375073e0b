-- Written by `npm run generate` from a migrated database. Do not edit.

-- Which entries of the audit are about an order: also a distribution, a withdrawal, a decision about an arrival.
CREATE TABLE audit_order (
  order_id text NOT NULL,
  seq bigint NOT NULL,
  CONSTRAINT audit_order_pkey PRIMARY KEY (order_id, seq)
);

ALTER TABLE audit_order ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_order_reading ON audit_order FOR SELECT
  USING ((SELECT app.sees_all()));
