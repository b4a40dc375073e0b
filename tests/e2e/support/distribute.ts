import type { CallAnswer } from '@copydesk/contract';
import type { Page, Route } from '@playwright/test';
import type { Api } from './api.ts';
import { settingsScreen } from './communities.ts';

type Pending = CallAnswer<'GET /api/super-admin/communities/{id}/pending-distributions'>;
type Plan = CallAnswer<'POST /api/super-admin/communities/{id}/distribute'>['data'];
type Distribution = Pending['awaiting'][number];
type Payout = CallAnswer<'GET /api/sweep-operations/{id}'>['data'];

/** An address that looks like its number. */
export const numberedAddress = (n: number) => `0x${n.toString(16).padStart(4, '0').repeat(10)}`;

/** Five lines of four addresses: one of them is owed in two roles. */
export const RECIPIENTS: Pending['recipients'] = [
  { recipientAddress: numberedAddress(0xaaa1), recipientType: 'mark', amount: '1000.5', payableCount: 12 },
  { recipientAddress: numberedAddress(0xaaa2), recipientType: 'community', amount: '150', payableCount: 3 },
  {
    recipientAddress: numberedAddress(0xaaa2),
    recipientType: 'community_referrer',
    amount: '50',
    payableCount: 3,
  },
  {
    recipientAddress: numberedAddress(0xaaa3),
    recipientType: 'trader_referrer',
    amount: '30.06',
    payableCount: 2,
  },
  { recipientAddress: numberedAddress(0xaaa4), recipientType: 'tip', amount: '4', payableCount: 1 },
];

export const pendingOf = (over: Partial<Pending> = {}): Pending => ({
  success: true,
  message: 'Pending distributions retrieved',
  totalAmount: '1234.56',
  recipients: RECIPIENTS,
  held: [],
  unaddressed: [],
  awaiting: [],
  approvalAbove: null,
  ...over,
});

export const HELD_FROM = '2026-11-23T14:05:00.000Z';
export const HELD_CHANGE = '00000000-0000-4000-8000-0000000000c1';
export const heldLine = (over: object) => ({
  recipientAddress: numberedAddress(0xccc1),
  recipientType: 'community' as const,
  amount: '50',
  payableCount: 2,
  reason: 'address_changed' as const,
  payableFrom: HELD_FROM,
  awaitsRelease: true,
  changeId: HELD_CHANGE,
  canRelease: true,
  ownerWord: null,
  ...over,
});
const NOT_CHANGED = {
  payableFrom: null,
  awaitsRelease: false,
  changeId: null,
  canRelease: false,
  ownerWord: null,
};
/** Recipients that cannot be paid now, for every reason. */
export const HELD = [
  heldLine({}),
  heldLine({ recipientAddress: numberedAddress(0xccc2), canRelease: false }),
  heldLine({ recipientAddress: numberedAddress(0xccc3), reason: 'deposit_frozen', ...NOT_CHANGED }),
  heldLine({ recipientAddress: numberedAddress(0xccc4), reason: 'not_checked', ...NOT_CHANGED }),
];

/** A thousand recipients, as a community of many referrers has them. */
export const MANY = pendingOf({
  totalAmount: '1000000',
  recipients: Array.from({ length: 1000 }, (_, index) => ({
    recipientAddress: numberedAddress(0x1000 + index),
    recipientType: 'trader_referrer' as const,
    amount: String(1000 + index),
    payableCount: 1,
  })),
});

export const distributionOf = (over: Partial<Distribution> = {}): Distribution => ({
  id: '00000000-0000-4000-8000-0000000000d1',
  run_id: null,
  community: { id: '00000000-0000-4000-8000-0000000000c1', name: 'Blue Harbor' },
  state: 'approved',
  total_amount: '1234.56',
  requested_by: 'dana@example.com',
  is_own: false,
  approvals: { needed: 1, given_by: [] },
  approval_refusal: null,
  decided_by: null,
  created_at: '2026-01-02T10:00:00.000Z',
  decided_at: null,
  payout_count: 5,
  progress: over.state === undefined || over.state === 'approved' ? 'ordered' : null,
  payouts: { distributed: 0, failed: 0, under_way: 5, ordered_again: 0 },
  returned_amount: '0',
  returned: [],
  standstill: null,
  ...over,
});

type PaidRecipient = NonNullable<Plan['recipients']>[number];
/** A recipient that was paid as much before. */
export const paidRecipient = (
  recipientAddress: string,
  over: Partial<PaidRecipient> = {},
): PaidRecipient => ({
  recipientAddress,
  owners: ['Atlas Quant'],
  owner_count: 1,
  paid_count: 14,
  last_paid_at: '2026-01-01T10:00:00.000Z',
  most_amount: '120',
  usual_amount: '120',
  address_changed_at: null,
  news: [],
  ...over,
});
/** Nothing is new about the four addresses. */
export const PAID_BEFORE = [...new Set(RECIPIENTS.map(({ recipientAddress }) => recipientAddress))].map(
  (address) => paidRecipient(address),
);

export const planOf = (over: Partial<Plan> = {}): Plan => ({
  distribution: null,
  total_amount: '1234.56',
  payouts: RECIPIENTS.map((line) => ({ ...line, id: null })),
  recipients: PAID_BEFORE,
  consolidations: { count: 2, amount: '900' },
  from_address: numberedAddress(0xbbb1),
  transaction_count: 7,
  expected_fee: '0.00105',
  remaining_amount: '0',
  needs_approval: false,
  above_maximum: null,
  approval_reasons: { is_above_limit: false, own_address_set_by: null },
  approval_limit: null,
  ...over,
});

const payoutId = (index: number) => `00000000-0000-4000-8000-${String(500 + index).padStart(12, '0')}`;

/** The same once it was sent: its payouts have ids. */
export const sentOf = (over: Partial<Plan> = {}): Plan =>
  planOf({
    distribution: distributionOf(),
    payouts: RECIPIENTS.map((line, index) => ({ ...line, id: payoutId(index) })),
    recipients: null,
    ...over,
  });

type Answer = { status?: number; json: unknown };
type DistributeBody = { dry_run?: boolean; selectedRecipients?: string[]; expected_amount?: string };

/** What the dialog asks of the server, answered here, and what was asked. */
export async function answerDistribution(
  page: Page,
  answers: { pending?: Answer | (() => Answer); plan?: Answer; sent?: Answer; statuses?: () => string[] },
) {
  const asked: { body: DistributeBody; key: string | undefined }[] = [];
  const { pending = { json: pendingOf() }, statuses = () => RECIPIENTS.map(() => 'distributing') } = answers;
  const dry = answers.plan ?? { json: { success: true, message: '', data: planOf() } };
  const sent = answers.sent ?? { json: { success: true, message: '', data: sentOf() } };
  await page.route('**/pending-distributions', (route) =>
    route.fulfill(typeof pending === 'function' ? pending() : pending),
  );
  await page.route('**/distribute', (route) => {
    const body = route.request().postDataJSON() as DistributeBody;
    asked.push({ body, key: route.request().headers()['idempotency-key'] });
    return route.fulfill(body.dry_run ? dry : sent);
  });
  await page.route('**/distributions/*/recipients', (route) =>
    route.fulfill({ json: { success: true, data: PAID_BEFORE } }),
  );
  await page.route(/communities\/[^/]+\/sweep-operations\?/, (route: Route) => {
    const data = statuses().map((status, index) => ({
      id: payoutId(index),
      status,
      problem: null,
      recipient_address: RECIPIENTS[index]?.recipientAddress,
      recipient_type: RECIPIENTS[index]?.recipientType,
      total_amount: RECIPIENTS[index]?.amount,
    }));
    return route.fulfill({ json: { success: true, data, meta: { total: data.length } } });
  });
  return asked;
}

/** Makes something else of a payout than the server says of it. */
export async function answerPayout(page: Page, api: Api, id: string, over: Partial<Payout>) {
  const { data } = await api.call('GET /api/sweep-operations/{id}', { params: { id } });
  await page.route(`**/api/sweep-operations/${id}`, (route) =>
    route.fulfill({ json: { success: true, data: { ...data, ...over } } }),
  );
}

/** The parts of the Distribute Funds dialog by the names that a person reads or hears. */
export function distributeDialog(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Distribute Funds' });
  const button = (name: string | RegExp) => dialog.getByRole('button', { name });
  return {
    ...settingsScreen(page),
    opener: page.getByRole('button', { name: 'Distribute', exact: true }),
    dialog,
    button,
    table: dialog.getByRole('grid', { name: 'Pending recipients' }),
    rows: dialog.getByRole('grid', { name: 'Pending recipients' }).locator('tbody tr'),
    selected: dialog.getByRole('grid', { name: 'Pending recipients' }).locator('tr[aria-selected="true"]'),
    payouts: dialog.getByRole('grid', { name: 'Payouts' }).locator('tbody tr'),
    pay: button(/^Pay /),
    /** Toasts lie beneath an open dialog for those who hear them; what is said aloud stands elsewhere. */
    toast: (text: string | RegExp) => page.locator('ol li').filter({ hasText: text }),
  };
}
