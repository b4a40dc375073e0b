-- An invitation ends with its inviter: a disabled or demoted person would otherwise go on making super admins.
ALTER TABLE identity.invitation
  ADD COLUMN invited_by_id uuid REFERENCES identity."user" (id) ON DELETE CASCADE,
  ADD COLUMN shown_at timestamptz;
COMMENT ON COLUMN identity.invitation.invited_by_id IS
  'The super admin who invited. NULL: the operator of the server.';
COMMENT ON COLUMN identity.invitation.shown_at IS
  'When the link was shown to the inviter, who could use it. NULL: it was only mailed.';

UPDATE identity.invitation i SET invited_by_id = (
    SELECT s.sponsor_id FROM identity.user_sponsor s
    WHERE s.user_id = i.user_id AND s.act = 'invited' ORDER BY s.id DESC LIMIT 1)
  WHERE i.used_at IS NULL;

-- Read whenever somebody loses the rights of a super admin.
-- compatible: invitations are few
CREATE INDEX invitation_by_inviter ON identity.invitation (invited_by_id) WHERE used_at IS NULL;
