-- Written by `npm run generate` from a migrated database. Do not edit.

-- Where the platform's own payouts go.
CREATE TABLE platform_recipient (
  recipient_type text NOT NULL,
  address text,
  CONSTRAINT platform_recipient_address_check CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  CONSTRAINT platform_recipient_pkey PRIMARY KEY (recipient_type),
  CONSTRAINT platform_recipient_recipient_type_check CHECK (recipient_type = ANY (ARRAY['hexmount', 'sixk', 'tip']))
);

ALTER TABLE platform_recipient ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_recipient FORCE ROW LEVEL SECURITY;
CREATE POLICY platform_recipient_change ON platform_recipient FOR UPDATE
  USING ((SELECT app.sees_all()))
  WITH CHECK ((SELECT app.sees_all()));
CREATE POLICY platform_recipient_read ON platform_recipient FOR SELECT
  USING (true);

CREATE TRIGGER payout_address_changed AFTER UPDATE OF address ON platform_recipient FOR EACH ROW
  WHEN (lower(new.address) IS DISTINCT FROM lower(old.address) AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('platform', 'recipient_type', 'address');
