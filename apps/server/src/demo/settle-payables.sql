-- Payables of invoices paid on chain, and payouts of those. Run without the indexes of `payable`, which it fills: each row
-- is written once, with the payout that it belongs to. An index that is built over rows that were changed before, in
-- the same transaction, would not be used by any statement of it. Both come in the order of time, like real ones: the
-- parts of a payout are near each other.

UPDATE platform_recipient r SET address = w.address
FROM (VALUES
  ('hexmount', '0xcC590C4d84e91f43f7414e1441F9A62b1a4564c0'),
  ('sixk', '0x4Cf93BdfF35DdaF462a0f909Cd935Dcbd6B7270E'),
  ('tip', '0x6A2139364F96787C8CE1bbB0070B898C3452f227')) w (type, address)
WHERE w.type = r.recipient_type;

-- Rows of `part` are overestimated by far, and sorting them for a merge would take as long as all else.
SET LOCAL enable_mergejoin = off;

-- An amount is still the recipient's whatever its size; parts below one unit never came to be.
WITH part AS MATERIALIZED (
  SELECT i.id AS invoice_id, i.community_id, i.provider_id, i.paid_at, floor(extract(epoch FROM now() - i.paid_at) / (30 * 86400))::int AS months_ago,
    c.is_archived, parts.recipient_type, parts.units,
    CASE parts.recipient_type
      WHEN 'mark' THEN p.payout_address
      WHEN 'community' THEN c.external_wallet_address
      WHEN 'community_referrer' THEN c.referrer_wallet_address
      WHEN 'trader_referrer' THEN r.external_wallet_address
      ELSE platform.address END AS address
  FROM invoice i
  JOIN community c ON c.id = i.community_id
  JOIN trader t ON t.id = i.trader_id
  LEFT JOIN trader r ON r.id = t.referred_by_trader_id
  LEFT JOIN provider p ON p.id = i.provider_id
  CROSS JOIN LATERAL (
    SELECT split.recipient_type, split.units
    FROM jsonb_to_recordset(i.split) split (recipient_type text, units numeric)
    UNION ALL SELECT 'tip', i.paid_units - i.amount_units WHERE i.paid_units > i.amount_units) parts
  LEFT JOIN platform_recipient platform ON platform.recipient_type = parts.recipient_type
  WHERE i.status = 'paid' AND i.settled_by = 'chain'
),
-- A payout for each thirty days to each recipient of a community: imported, and in a final state, since no transfer of
-- it is known here. The last thirty days are still to be paid, whatever day of a month it is; an archived community owes
-- nothing any more.
payout AS MATERIALIZED (
  SELECT gen_random_uuid() AS id, community_id, recipient_type, address, months_ago, sum(units) AS units,
    max(paid_at) AS last_at,
    CASE WHEN NOT is_archived AND abs(hashtext(address || months_ago::text)) % 40 = 0 THEN 'failed' ELSE 'distributed' END
      AS status
  FROM part
  WHERE address IS NOT NULL
    AND (is_archived OR months_ago > 0 OR hashtext(address) % 3 = 0)
  GROUP BY community_id, is_archived, recipient_type, address, months_ago
),
payouts AS (
  INSERT INTO payout (id, community_id, status, recipient_type, recipient_address, amount_units,
    consolidate_transaction_hash, distribute_transaction_hash, problem, created_at, updated_at)
  SELECT id, community_id, status, recipient_type, address, units,
    '0x' || md5(id::text) || md5('c' || id::text),
    CASE WHEN status = 'distributed' THEN '0x' || md5('d' || id::text) || md5(id::text) END,
    CASE WHEN status = 'failed' THEN 'reverted' END,
    least(last_at + interval '1 day', now()), least(last_at + interval '1 day 10 minutes', now())
  FROM payout ORDER BY last_at
)
INSERT INTO payable (invoice_id, community_id, provider_id, recipient_type, recipient_address, amount_units, created_at,
  payout_id, paid_at)
SELECT part.invoice_id, part.community_id, part.provider_id, part.recipient_type, part.address, part.units, part.paid_at,
  payout.id, CASE WHEN payout.status = 'distributed' THEN least(payout.last_at + interval '1 day', now()) END
FROM part
LEFT JOIN payout ON payout.community_id = part.community_id AND payout.recipient_type = part.recipient_type
  AND payout.address = part.address AND payout.months_ago = part.months_ago
ORDER BY part.paid_at;

SET LOCAL enable_mergejoin = on;
