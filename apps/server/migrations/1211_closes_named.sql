-- What is known already gets its name at the exchange, and of one close that was read under two accounts the one that
-- was invoiced first stays. No sum of days changes by it.
SET LOCAL copydesk.bulk = 'on';
UPDATE closed_position c SET venue = a.exchange, venue_account = a.acc_uid
FROM exchange_account a WHERE a.id = c.account_id AND c.venue IS NULL;
UPDATE closed_position c SET double_of = d.first_id
FROM (
  SELECT c.id, first_value(c.id) OVER same AS first_id
  FROM closed_position c LEFT JOIN invoice i ON i.id = c.invoice_id
  WINDOW same AS (PARTITION BY c.venue, c.venue_account, c.venue_id
    ORDER BY c.invoice_id IS NULL, i.created_at, c.created_at, c.id)) d
WHERE d.id = c.id AND d.first_id <> c.id;
