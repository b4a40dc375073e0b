-- Written by `npm run generate` from a migrated database. Do not edit.

-- A recipient's part of a paid invoice. At most one payout pays it.
CREATE TABLE payable (
  id uuid NOT NULL DEFAULT app.uuid_by_time(),
  invoice_id uuid NOT NULL,
  community_id uuid NOT NULL,
  provider_id uuid,
  recipient_type text NOT NULL,
  recipient_address text,
  amount_units numeric(38,0) NOT NULL,
  payout_id uuid,
  paid_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A payable is due once; a tip is due once for each payment that brought one.
  payment_id uuid,
  -- The transfer that brings the money into the community's wallet; NULL until it is ordered.
  consolidation_id uuid,
  -- Set for a part of an imported invoice without money on chain: it is not paid out.
  settled_at timestamptz,
  CONSTRAINT payable_amount_units_check CHECK (amount_units > 0::numeric),
  CONSTRAINT payable_check CHECK (paid_at IS NULL OR payout_id IS NOT NULL),
  CONSTRAINT payable_check1 CHECK (recipient_address IS NOT NULL OR payout_id IS NULL),
  CONSTRAINT payable_check2 CHECK (payment_id IS NULL OR recipient_type = 'tip'),
  CONSTRAINT payable_community_id_fkey FOREIGN KEY (community_id) REFERENCES community(id),
  CONSTRAINT payable_consolidation_id_fkey FOREIGN KEY (consolidation_id) REFERENCES transfer(id) ON DELETE RESTRICT,
  CONSTRAINT payable_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id) ON DELETE RESTRICT,
  CONSTRAINT payable_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  CONSTRAINT payable_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout(id) ON DELETE RESTRICT,
  CONSTRAINT payable_pkey PRIMARY KEY (id),
  CONSTRAINT payable_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  CONSTRAINT payable_recipient_address_check CHECK (recipient_address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT payable_recipient_type_check
    CHECK (recipient_type = ANY (ARRAY['mark', 'community', 'community_referrer', 'trader_referrer', 'hexmount',
    'sixk', 'tip'])),
  CONSTRAINT payable_settled CHECK (settled_at IS NULL OR paid_at IS NULL AND payout_id IS NULL)
);

CREATE INDEX payable_by_consolidation ON payable (consolidation_id) WHERE consolidation_id IS NOT NULL;
CREATE INDEX payable_by_payout ON payable (payout_id, provider_id);
CREATE INDEX payable_by_provider ON payable (provider_id);
CREATE INDEX payable_due ON payable (community_id, recipient_type) INCLUDE (provider_id, amount_units)
  WHERE payout_id IS NULL AND settled_at IS NULL;
CREATE INDEX payable_of_referrer ON payable (community_id) WHERE recipient_type = 'community_referrer';
CREATE UNIQUE INDEX payable_once ON payable (invoice_id, recipient_type, payment_id) NULLS NOT DISTINCT;
CREATE INDEX payable_owed_to ON payable (recipient_type, provider_id) INCLUDE (amount_units)
  WHERE payout_id IS NULL AND settled_at IS NULL;
CREATE INDEX payable_paid ON payable (community_id, paid_at) INCLUDE (provider_id, amount_units)
  WHERE paid_at IS NOT NULL;
CREATE INDEX payable_unpaid ON payable (community_id) WHERE paid_at IS NULL AND settled_at IS NULL;

ALTER TABLE payable ENABLE ROW LEVEL SECURITY;
ALTER TABLE payable FORCE ROW LEVEL SECURITY;
CREATE POLICY payable_scope ON payable FOR ALL
  USING ((SELECT app.sees_all()) OR (provider_id = ANY (((SELECT app.provider_ids()))::uuid[])))
  WITH CHECK ((SELECT app.sees_all()));

CREATE TRIGGER payables_added AFTER INSERT ON payable REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION app.payables_written();
CREATE TRIGGER payables_changed AFTER UPDATE ON payable REFERENCING OLD TABLE AS taken NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.payables_written();
CREATE TRIGGER payables_taken AFTER DELETE ON payable REFERENCING OLD TABLE AS taken FOR EACH STATEMENT
  EXECUTE FUNCTION app.payables_written();
CREATE TRIGGER payables_to_known_addresses AFTER UPDATE ON payable REFERENCING OLD TABLE AS taken NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_other_recipient();
