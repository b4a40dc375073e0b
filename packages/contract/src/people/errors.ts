/** Refusals that only calls of this feature return. */
export const peopleErrors = {
  reauthentication_failed: { status: 403, message: 'That is not correct. Please try again.' },
  reauthentication_code_used: {
    status: 403,
    message: 'This code has already been used. Please wait for the next one.',
  },
  too_many_attempts: { status: 429, message: 'Too many attempts. Please wait and try again.' },
  demo_only_on_loopback: { status: 403, message: 'Demo sign-in works on this machine only' },
  setup_token_invalid: { status: 403, message: 'The setup token is invalid, used or expired' },

  identity_unavailable: {
    status: 409,
    message:
      'The identity service did not send the invitation. The person is listed as invited: send it again later.',
  },
  own_confirmation: { status: 403, message: 'Ask another super admin to confirm your account' },
  not_a_super_admin: {
    status: 409,
    message: 'Only a super admin who has accepted the invitation and is not disabled can be confirmed',
  },
  confirmer_not_confirmed: {
    status: 403,
    message: 'Your own account is not confirmed yet, so you cannot confirm others',
  },
  operator_confirmation_required: {
    status: 403,
    message:
      'There is no second confirmed super admin yet. Run npm run admin -- confirm --email <address> on the server to confirm this one.',
  },
  confirmation_not_independent: {
    status: 403,
    message:
      'You invited or promoted this account, or removed its second factor, directly or through others. Ask another super admin to confirm it, or run npm run admin -- confirm on the server.',
  },
  confirmation_needs_sponsor: {
    status: 403,
    message:
      'The identity service made this account a super admin, and no super admin here answers for it. Take the right away and give it again, to be its sponsor; then another super admin can confirm it.',
  },
  actor_not_confirmed: {
    status: 403,
    message:
      'Your own account is not confirmed yet, so you cannot disable, demote or sign out a confirmed super admin. Ask another super admin to confirm you, or to do it.',
  },
  too_many_invitations: {
    status: 409,
    message:
      'This person was invited five times within a quarter of an hour. The last link is valid; wait a few minutes before you send another one.',
  },
  invited_as_super: {
    status: 409,
    message:
      'This person is invited as a super admin already, and approving would take that away. Decline this request, or change the access of the person first.',
  },
  waitlist_full: {
    status: 409,
    message:
      'The list of requests is full, so yours was not noted. Try again in a few days, or write to the person who told you about Copydesk.',
  },
  weak_password: {
    status: 422,
    message: 'This password is among those that are guessed first. Choose another one.',
  },
  email_taken: { status: 409, message: 'A user with this e-mail address already exists' },
  nothing_to_view: {
    status: 409,
    message:
      'Super admins see everything, and people without the admin flag nothing: there is nothing to view',
  },
  waitlist_decided: { status: 409, message: 'This request has been decided already' },
  invitation_accepted: { status: 409, message: 'This user has accepted the invitation already' },
  own_account: { status: 409, message: 'Change your own account in your profile' },
  last_super_admin: { status: 409, message: 'At least one active super admin must remain' },
  invitation_invalid: {
    status: 410,
    message: 'This invitation is invalid, used or expired. If you accepted it, your account exists: sign in.',
  },
} as const;
