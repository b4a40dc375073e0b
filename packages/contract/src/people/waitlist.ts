import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, clearableLine, email, id, line, paging, timestamp } from '../fields.ts';

const entry = z
  .object({
    id,
    email: z.string(),
    name: z.string(),
    note: z.string().nullable(),
    state: z.enum(['waiting', 'approved', 'declined']),
    joined_at: timestamp,
    decided_at: timestamp.nullable(),
    decided_by: z.string().nullable(),
    has_account: z.boolean().describe('a user with this address exists already'),
  })
  .meta({ id: 'WaitlistEntry' });

export const waitlistCalls = entries({
  'POST /api/waitlist': {
    summary: 'Asks for access. The answer is the same whether or not the address is known',
    permission: 'public',
    recentAuth: false,
    body: z.strictObject({ email, name: line, note: clearableLine.default(null) }),
    answer: ok(z.null()),
    status: 201,
    errors: ['not_found', 'waitlist_full'],
    perMinute: 5,
  },
  'GET /api/waitlist': {
    summary: 'Who asks for access, longest first',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject(paging),
    answer: page(entry, { total: z.int() }),
    errors: [],
  },
  'POST /api/waitlist/{id}/approve': {
    summary: 'Invites a person who asks for access, as staff of these providers',
    permission: 'super',
    recentAuth: true,
    beforeSecondFactor: true,
    params: byId,
    body: z.strictObject({ provider_access: z.array(id).max(500).default([]) }),
    answer: ok(
      z.object({
        id: z.string(),
        e_mailed: z.boolean(),
        is_waiting: z
          .boolean()
          .describe('the mail server has not taken the mail yet: it is sent once it does'),
        link: z.string().nullable(),
      }),
    ),
    status: 201,
    errors: [
      'not_found',
      'waitlist_decided',
      'invited_as_super',
      'email_taken',
      'too_many_invitations',
      'identity_unavailable',
    ],
  },
  'POST /api/waitlist/{id}/decline': {
    summary:
      'Declines a request for access for good: the address cannot ask again. The person is not notified',
    permission: 'super',
    recentAuth: true,
    beforeSecondFactor: true,
    params: byId,
    answer: ok(z.object({ id })),
    errors: ['not_found', 'waitlist_decided'],
  },
});
