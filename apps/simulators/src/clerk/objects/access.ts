import type { Invitation, WaitlistEntry } from '../clerk-state.ts';

export const invitationObject = (it: Invitation) => ({
  object: 'invitation',
  id: it.id,
  email_address: it.email,
  public_metadata: it.metadata,
  status: it.status,
  revoked: false,
  created_at: it.createdAt,
  updated_at: it.createdAt,
});

export const waitlistObject = (it: WaitlistEntry) => ({
  object: 'waitlist_entry',
  id: it.id,
  email_address: it.email,
  status: it.status,
  invitation: null,
  is_locked: false,
  created_at: it.createdAt,
  updated_at: it.createdAt,
});
