-- Who ordered a payout last, and when. The approval limit looks at what a community and a person ordered within 24
-- hours, retries included: an order split into small ones, or one that is retried a day later, meets it all the same.

SELECT set_config('copydesk.scope', 'all', true), set_config('copydesk.bulk', 'on', true);

ALTER TABLE payout
  -- NULL for imported payouts, which no distribution ordered.
  ADD COLUMN ordered_at timestamptz,
  ADD COLUMN ordered_by_id text;
UPDATE payout o SET ordered_at = d.created_at, ordered_by_id = d.requested_by_id
FROM distribution d WHERE d.id = o.distribution_id;
ALTER TABLE payout ADD CONSTRAINT payout_ordered CHECK (
  (distribution_id IS NULL) = (ordered_at IS NULL) AND (distribution_id IS NULL) = (ordered_by_id IS NULL));

CREATE INDEX payout_ordered_in ON payout (community_id, ordered_at) WHERE ordered_at IS NOT NULL;
CREATE INDEX payout_ordered_by ON payout (ordered_by_id, ordered_at) WHERE ordered_at IS NOT NULL;
