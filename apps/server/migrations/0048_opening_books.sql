-- Imported money is held against the chain before it is in the books: what is at the deposit addresses backs what is
-- owed, and what is not there was settled off the platform.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

ALTER TABLE trader
  -- When the imported payments of this trader were compared with the chain. NULL: not yet. Of a trader that was made
  -- here there is nothing to compare.
  ADD COLUMN books_opened_at timestamptz DEFAULT now();
UPDATE trader t SET books_opened_at = NULL WHERE EXISTS (
  SELECT FROM invoice i WHERE i.trader_id = t.id AND i.paid_units > 0 AND i.settled_by IS DISTINCT FROM 'manual'
    AND NOT EXISTS (SELECT FROM journal j WHERE j.source_type = 'invoice' AND j.source_id = i.id::text
      AND j.kind = 'invoice_issued'));
CREATE INDEX trader_books_to_open ON trader (id) WHERE books_opened_at IS NULL;

ALTER TABLE invoice
  -- What of the imported payments was not found on chain: nothing of it becomes payable.
  ADD COLUMN off_platform_units numeric(38, 0) NOT NULL DEFAULT 0
    CHECK (off_platform_units >= 0 AND off_platform_units <= amount_units),
  ADD COLUMN off_platform_reason text CHECK (off_platform_reason IN ('not_on_chain', 'settled_before_check')),
  ADD CONSTRAINT invoice_off_platform CHECK ((off_platform_units = 0) = (off_platform_reason IS NULL));
GRANT UPDATE (off_platform_units, off_platform_reason) ON invoice TO copydesk_app;

ALTER TABLE payable
  -- A share of an imported invoice that nothing on chain backs: it is not paid out.
  ADD COLUMN settled_at timestamptz,
  ADD CONSTRAINT payable_settled CHECK (settled_at IS NULL OR (paid_at IS NULL AND payout_id IS NULL));
DROP INDEX payable_pending;
CREATE INDEX payable_pending ON payable (community_id) WHERE payout_id IS NULL AND settled_at IS NULL;
DROP INDEX payable_unpaid;
CREATE INDEX payable_unpaid ON payable (community_id) WHERE paid_at IS NULL AND settled_at IS NULL;
