-- Payables of invoices paid on chain, and payouts of those. Run without the indexes of `payable`, which it fills.

UPDATE platform_recipient
SET address = '0x' || left(md5(recipient_type) || md5('wallet of ' || recipient_type), 40);

-- An amount is still the recipient's whatever its size; parts below one unit never came to be.
INSERT INTO payable (invoice_id, community_id, provider_id, recipient_type, recipient_address, amount_units, created_at)
SELECT i.id, i.community_id, i.provider_id, part ->> 'recipient_type',
  CASE part ->> 'recipient_type'
    WHEN 'mark' THEN (SELECT p.payout_address FROM provider p WHERE p.id = i.provider_id)
    WHEN 'community' THEN c.external_wallet_address
    WHEN 'community_referrer' THEN c.referrer_wallet_address
    WHEN 'trader_referrer' THEN (SELECT r.external_wallet_address FROM trader t
      JOIN trader r ON r.id = t.referred_by_trader_id WHERE t.id = i.trader_id)
    ELSE (SELECT r.address FROM platform_recipient r WHERE r.recipient_type = part ->> 'recipient_type') END,
  (part ->> 'units')::numeric, i.paid_at
FROM invoice i
JOIN community c ON c.id = i.community_id
CROSS JOIN LATERAL (
  SELECT part FROM jsonb_array_elements(i.split) part
  UNION ALL SELECT jsonb_build_object('recipient_type', 'tip', 'units', (i.paid_units - i.amount_units)::text)
  WHERE i.paid_units > i.amount_units) parts
WHERE i.status = 'paid' AND i.settled_by = 'chain';

-- A payout a month to each recipient of a community: imported, and in a final state, since no transfer of it is known
-- here. The current month is still to be paid; an archived community owes nothing any more.
WITH payouts AS (
  SELECT gen_random_uuid() AS id, p.community_id, c.is_archived, p.recipient_type, p.recipient_address,
    date_trunc('month', p.created_at) AS month, sum(p.amount_units) AS units, max(p.created_at) AS last_at,
    array_agg(p.id) AS payables
  FROM payable p JOIN community c ON c.id = p.community_id
  WHERE p.recipient_address IS NOT NULL AND (c.is_archived
    OR p.created_at < date_trunc('month', now()) OR hashtext(p.recipient_address) % 3 = 0)
  GROUP BY p.community_id, c.is_archived, p.recipient_type, p.recipient_address, date_trunc('month', p.created_at)
), states AS (
  SELECT *, CASE WHEN NOT is_archived AND abs(hashtext(recipient_address || month::text)) % 40 = 0 THEN 'failed'
    ELSE 'distributed' END AS status
  FROM payouts
), operations AS (
  INSERT INTO sweep_operation (id, community_id, status, recipient_type, recipient_address, amount_units,
    consolidate_transaction_hash, distribute_transaction_hash, problem, created_at, updated_at)
  SELECT id, community_id, status, recipient_type, recipient_address, units,
    '0x' || md5(id::text) || md5('c' || id::text),
    CASE WHEN status = 'distributed' THEN '0x' || md5('d' || id::text) || md5(id::text) END,
    CASE WHEN status = 'failed' THEN 'reverted' END,
    least(last_at + interval '1 day', now()), least(last_at + interval '1 day 10 minutes', now())
  FROM states
)
UPDATE payable p
SET sweep_operation_id = s.id, paid_at = CASE WHEN s.status = 'distributed' THEN least(s.last_at + interval '1 day', now()) END
FROM states s WHERE p.id = ANY (s.payables);
