-- The address book: an address is paid to when another person has released it, never by time alone.

-- Those that were payable by time are in the book already; nobody released them, and the row says so.
UPDATE payout_address_change SET released_at = now(), released_by_id = 'upgrade', released_by = 'Upgrade'
WHERE released_at IS NULL AND changed_at < now() - make_interval(hours => coalesce(
  (SELECT (value #>> '{}')::int FROM platform_setting WHERE name = 'payout_address_hold_hours'), 24));

-- The address that a new trader comes with is a proposal too: it may be a referrer's, or a member's of a pool.
CREATE TRIGGER payout_address_given AFTER INSERT ON trader FOR EACH ROW
  WHEN (NEW.external_wallet_address IS NOT NULL
    AND app.is_application())
  EXECUTE FUNCTION app.note_payout_address('trader', 'id', 'external_wallet_address');
COMMENT ON TABLE payout_address_change IS
  'The latest change of each payout address: the address book. An address is paid to once another super admin has released it and its waiting time has passed, so that neither a hijacked account nor one person alone can point payouts elsewhere. Addresses that the owner of the database sets (imports, manual set-up) are in the book.';
COMMENT ON COLUMN payout_address_change.released_at IS 'When another person put the address into the book.';
