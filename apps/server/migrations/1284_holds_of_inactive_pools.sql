-- Pools that were switched off before: from the last act that switched them off, where the audit has one.
WITH ended AS (
  SELECT p.id, coalesce((
    SELECT e.at FROM audit_entry e
    WHERE e.target_kind = 'pool' AND e.target_id = p.id::text AND e.action = 'pool.changed'
      AND e.after ->> 'is_active' = 'false'
    ORDER BY e.seq DESC LIMIT 1), now()) AS at
  FROM pooled_account p WHERE p.is_approved AND NOT p.is_active)
UPDATE account_holder h SET held_until = greatest(e.at, h.held_from + interval '1 microsecond') FROM ended e
WHERE h.pooled_account_id = e.id AND h.held_until IS NULL;
