import { type Cases, NOTHING } from './case.ts';

/** The platform itself, who may use it, and what they keep for themselves. */
export const PLATFORM_CASES = {
  'GET /api/health': NOTHING,
  'GET /api/ready': { input: () => ({ query: {} }) },
  'GET /api/config': NOTHING,
  'GET /api/setup-checklist': NOTHING,
  'GET /api/events': NOTHING,
  'GET /api/platform-bot': NOTHING,
  'GET /api/me': NOTHING,
  'GET /api/me/sessions': NOTHING,
  // A missing id, so that the callers of other cases keep their sessions.
  'DELETE /api/me/sessions/{id}': {
    input: ({ walletId }) => ({ params: { id: walletId } }),
  },
  'DELETE /api/me/sessions': {
    // An unknown parameter: the callers of the other cases would lose their sessions.
    input: () => ({ query: { unknown: 'x' } }) as never,
    allowed: [400],
  },
  'PATCH /api/me/settings': { input: () => ({ body: { dates: 'iso' } }) },
  'PUT /api/me/lists/{list}': {
    input: () => ({
      params: { list: 'traders' },
      body: { order: ['name'], hidden: [], widths: { name: 200 }, pinned: null },
    }),
  },
  'DELETE /api/me/lists/{list}': { input: () => ({ params: { list: 'traders' } }) },
  'GET /api/me/second-factor': NOTHING,
  // A missing id: the callers have no passkeys.
  'PATCH /api/me/passkeys/{id}': {
    input: ({ walletId }) => ({ params: { id: walletId }, body: { name: 'Laptop' } }),
    allowed: [404],
  },
  'DELETE /api/me/passkeys/{id}': {
    input: ({ walletId }) => ({ params: { id: walletId } }),
    allowed: [404],
  },
  // The callers have none to answer with.
  'POST /api/reauthenticate/passkey': { input: () => ({}), allowed: [403] },
  'POST /api/demo/sign-in': { input: () => ({ body: { persona: 'staff' } }) },
  'POST /api/reauthenticate': {
    // No caller has this password, and it is the wrong one for all of them.
    input: () => ({ body: { password: 'wrong' } }),
    allowed: [403, 429],
  },
  'POST /api/setup': {
    input: () => ({
      body: { token: 'wrong', email: 'a@b.example', name: 'A', password: 'long-enough-password' },
    }),
    allowed: [403],
  },
  'POST /api/sign-in-links/look': {
    input: () => ({ body: { kind: 'reset', token: 'wrong' } }),
    allowed: [410],
  },
  'POST /api/invitations/accept': {
    input: () => ({ body: { token: 'wrong', name: 'A', password: 'long-enough-password' } }),
    allowed: [410],
  },
  'GET /api/users': { input: () => ({ query: { limit: '10' } }) },
  'GET /api/platform-settings': { input: () => ({}) },
  'PUT /api/platform-settings': {
    // The value that it has: nothing changes for the other cases.
    input: () => ({ body: { set: { invoice_due_days: 3 }, version: 0 } }),
  },
  // A missing change: a decided one would be gone for the other callers.
  'POST /api/platform-settings/changes/{id}/approve': {
    input: () => ({ params: { id: '00000000-0000-4000-8000-00000000dead' } }),
    allowed: [404],
  },
  'POST /api/platform-settings/changes/{id}/decline': {
    input: () => ({ params: { id: '00000000-0000-4000-8000-00000000dead' } }),
    allowed: [404],
  },
  'GET /api/platform-settings/changes': { input: () => ({ query: {} }) },
  'GET /api/platform-settings/egress-addresses': { input: () => ({}) },
  'GET /api/platform-settings/recipients': { input: () => ({}) },
  'PUT /api/platform-settings/recipients/{type}': {
    input: () => ({ params: { type: 'tip' }, body: { address: null, version: 'f'.repeat(16) } }),
    allowed: [409],
  },
  'GET /api/access/calls': { input: () => ({}) },
  'POST /api/users/invitations': {
    input: () => ({ body: { email: `${crypto.randomUUID()}@invited.example` } }),
  },
  'GET /api/users/{id}': {
    input: ({ userId }) => ({ params: { id: userId } }),
    isAimed: true,
  },
  'POST /api/users/{id}/invitation': {
    // They have accepted theirs.
    input: ({ userId }) => ({ params: { id: userId } }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/users/{id}/view-as': {
    input: ({ userId }) => ({ params: { id: userId } }),
    isAimed: true,
  },
  'DELETE /api/view-as': NOTHING,
  'DELETE /api/users/{id}/sessions': {
    // A missing id, so that the callers of other cases keep their sessions.
    input: () => ({ params: { id: '00000000-0000-4000-8000-00000000dead' } }),
    allowed: [404],
  },
  'DELETE /api/users/{id}/second-factor': {
    input: () => ({ params: { id: '00000000-0000-4000-8000-00000000dead' } }),
    allowed: [404],
  },
  'PATCH /api/users/{id}': {
    input: ({ userId }) => ({ params: { id: userId }, body: { admin: true, version: 'f'.repeat(16) } }),
    isAimed: true,
    // Another version than the present one.
    allowed: [409],
  },
  'POST /api/users/{id}/confirm': {
    // Neither of them is a super admin.
    input: ({ userId }) => ({ params: { id: userId } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/users/{id}/communities': {
    input: ({ userId }) => ({ params: { id: userId } }),
    isAimed: true,
    // About oneself only: `own` is the persona staff, `foreign` the persona without access.
    expects: (caller, target) => {
      if (caller === 'no-access') return target === 'foreign' ? 200 : 404;
      return caller === 'staff-multi' ? 404 : undefined;
    },
  },
  'POST /api/waitlist': {
    input: () => ({ body: { email: `${crypto.randomUUID()}@waiting.example`, name: 'W' } }),
    allowed: [201, 429],
  },
  'GET /api/waitlist': { input: () => ({ query: {} }) },
  // Missing ids.
  'POST /api/waitlist/{id}/approve': {
    input: ({ walletId }) => ({ params: { id: walletId }, body: {} }),
    allowed: [404],
  },
  'POST /api/waitlist/{id}/decline': {
    input: ({ walletId }) => ({ params: { id: walletId } }),
    allowed: [404],
  },
  'GET /api/audit': { input: () => ({ query: { limit: '5' } }) },
  'GET /api/bulk-acts': NOTHING,
  'POST /api/bulk-acts/preview': {
    input: ({ traderId }) => ({ body: { act: 'status', status: 'delinquent', trader_ids: [traderId] } }),
    isAimed: true,
  },
  // Another number than the one that it would be done to.
  'POST /api/bulk-acts': {
    input: ({ traderId }) => ({
      body: { act: 'status', status: 'delinquent', trader_ids: [traderId], expected_count: 2 },
    }),
    isAimed: true,
    allowed: [409],
  },
  // Missing ids: no act is another caller's.
  'GET /api/bulk-acts/{id}/rows': {
    input: ({ walletId }) => ({ params: { id: walletId }, query: {} }),
    allowed: [404],
  },
  'POST /api/bulk-acts/{id}/stop': {
    input: ({ walletId }) => ({ params: { id: walletId } }),
    allowed: [404],
  },
  'POST /api/bulk-acts/{id}/retry': {
    input: ({ walletId }) => ({ params: { id: walletId } }),
    allowed: [404],
  },
  'GET /api/me/attention-mail': { input: () => ({}) },
  'PATCH /api/me/attention-mail': { input: () => ({ body: { at_once: 'urgent' } }) },
  // Without a bot.
  'POST /api/me/telegram': { input: () => ({}), allowed: [409] },
  'DELETE /api/me/telegram': { input: () => ({}) },
  'GET /api/attention': { input: () => ({ query: {} }) },
  'GET /api/overview': { input: () => ({}) },
  'GET /api/overview/today': { input: () => ({}) },
  // A thing of no provider: of super admins.
  'POST /api/attention/people': {
    input: () => ({ body: { kind: 'key_failing', subject: 'none', provider_id: null } }),
    allowed: [200, 409],
  },
  'PUT /api/attention/mark': {
    input: () => ({
      body: {
        kind: 'key_failing',
        subject: 'none',
        provider_id: null,
        cause: '',
        version: 0,
        act: { kind: 'take' },
      },
    }),
    allowed: [409],
  },
  'GET /api/search': { input: () => ({ query: { q: 'kait' } }) },
  'GET /api/exports': NOTHING,
  'POST /api/exports': { input: () => ({ body: { list: 'traders', query: { tab: 'inbox' } } }) },
  // Missing ids: no export is another caller's.
  'GET /api/exports/{id}/file': {
    input: ({ walletId }) => ({ params: { id: walletId } }),
    allowed: [404],
  },
  'DELETE /api/exports/{id}': {
    input: ({ walletId }) => ({ params: { id: walletId } }),
    allowed: [404],
  },
  'GET /api/audit/export': { input: () => ({ query: { kind: 'provider' } }) },
  'GET /api/audit/refusals': { input: () => ({ query: { limit: '5' } }) },
  'GET /api/audit/refusals/counts': { input: () => ({ query: { kind: 'access' } }) },
  'GET /api/audit/refusals/export': { input: () => ({ query: { kind: 'access' } }) },
  'GET /api/audit/chain': NOTHING,
  'POST /api/audit/verify': NOTHING,
  'GET /api/service-tokens': { input: () => ({ query: {} }) },
  'POST /api/service-tokens': {
    input: ({ providerId }) => ({
      body: { name: 'Bot', scopes: ['traders:read'], provider_ids: [providerId] },
    }),
    isAimed: true,
  },
  'DELETE /api/service-tokens/{id}': {
    input: ({ serviceTokenId }) => ({ params: { id: serviceTokenId } }),
    isAimed: true,
  },
  'PUT /api/saved-views/default': {
    // As below: it is not shared.
    input: ({ savedViewId }) => ({ body: { screen: 'invoices', view_id: savedViewId } }),
    isAimed: true,
    allowed: [404],
  },
  'GET /api/saved-views': { input: () => ({ query: { screen: 'invoices' } }) },
  'POST /api/saved-views': {
    input: () => ({ body: { screen: 'invoices', name: 'Mine', query: 'tab=unpaid' } }),
  },
  'DELETE /api/saved-views/{id}': {
    // A view is its owner's alone: no one else finds it, a super admin included.
    input: ({ savedViewId }) => ({ params: { id: savedViewId } }),
    isAimed: true,
    allowed: [404],
  },
} satisfies Partial<Cases>;
