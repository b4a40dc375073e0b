import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, leaveDecisionsOpen } from './open-decisions.ts';

/** Communities whose payables are paid on the demo world's chain at its first start. */
const PAID = 3;
/** Meanwhile the worker enters the imported payments in the ledger. */
const PATIENCE_MS = 180_000;
const LOOK_EVERY_MS = 2_000;

/** Telegram ids beyond those of the demo world's traders. */
const FIRST_BUYER = 7_000_000_001;
const BUYERS = [
  { name: 'Lena Sommer', coupon_code: 'WELCOME10', isPaid: true },
  { name: 'Marek Nowak', coupon_code: null, isPaid: false },
  { name: 'Sofia Romero', coupon_code: null, isPaid: true },
  { name: 'Karim Haddad', coupon_code: 'WELCOME10', isPaid: false },
] as const;

/** What the VIP levels offer, from the lowest. */
const BENEFITS = [
  'Answers within a day',
  'Answers within four hours',
  'A monthly report',
  'A weekly report, a contact person',
  'A daily report, calls at any time',
];

interface Setting {
  name: string;
  value: unknown;
  version: number;
  is_locked: boolean;
}
interface Community {
  id: string;
  minimum_balance: number;
}
interface Difference {
  kind: string;
  id: string;
  seen: string;
}
interface Pending {
  recipients: unknown[];
  held: unknown[];
}

/**
 * The first day of the demo world, over the API and under its personas: they change settings, which gives those a
 * history, deduct what an exchange corrected of an invoice, say what VIP levels offer, pay out what some communities
 * owe, so that there are payouts with transactions on the local chain, order plans of a bot, and leave decisions for
 * each other.
 * @param origin of the API, as in http://127.0.0.1:3000
 * @param telegram the settings by which the world reaches its Telegram
 */
export async function actInDemoWorld(
  origin: string,
  telegram: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const [first, second] = await Promise.all([signIn('super'), signIn('super-2')]);
  const { data: communities } = await first<{ data: Community[] }>('GET', '/api/super-admin/communities');
  const [one, two] = communities;
  if (one)
    await first('PATCH', `/api/super-admin/communities/${one.id}`, {
      minimum_balance: one.minimum_balance / 2,
    });
  if (two) await second('PATCH', `/api/super-admin/communities/${two.id}`, { minimum_balance: 5_000 });
  await deductCorrections();
  await describeLevels();
  let paid = 0;
  for (const { id } of communities) {
    if (paid === PAID) break;
    const { recipients } = await untilChecked(id);
    if (recipients.length === 0) continue;
    await first('POST', `/api/super-admin/communities/${id}/distribute`, {});
    paid += 1;
  }
  // By now a worker has confirmed the key of deposit addresses.
  await sellPlans();
  await leaveDecisionsOpen(
    { first, second },
    {
      // The last one: those that are paid out above come first.
      communityId: communities.at(-1)?.id,
      telegramUrl: telegram.TELEGRAM_API_URL ?? null,
      botId: Number(telegram.TELEGRAM_BOT_TOKEN?.split(':')[0]),
      signal,
    },
  );

  /** What the exchanges corrected of paid invoices lowers next ones. */
  async function deductCorrections(): Promise<void> {
    const { data: differences } = await first<{ data: Difference[] }>('GET', '/api/invoices/differences');
    for (const { kind, id, seen } of differences.filter((one) => one.kind === 'corrected_close'))
      await first('POST', '/api/invoices/differences/deduct', { kind, id, seen });
  }

  async function describeLevels(): Promise<void> {
    const { data: settings } = await first<{ data: Setting[] }>('GET', '/api/platform-settings');
    const levels = settings.find(({ name }) => name === 'vip_tiers');
    if (!levels || levels.is_locked) return;
    const tiers = levels.value as { name: string; min_aum: string }[];
    await first('PUT', '/api/platform-settings', {
      set: { vip_tiers: tiers.map((tier, index) => ({ ...tier, benefits: BENEFITS[index] ?? '' })) },
      version: levels.version,
    });
  }

  /** Some orders with the bot of the demo world. One was settled by hand; the others wait for their buyers. */
  async function sellPlans(): Promise<void> {
    const seller = await findSeller();
    if (!seller) return;
    for (const [index, { name, coupon_code, isPaid }] of BUYERS.entries()) {
      const plan = seller.plans[index % seller.plans.length];
      const { data } = await first<{ data: { id: string } }>('POST', '/api/exchange-bot/invoices', {
        plan_id: plan?.id,
        buyer: { telegram_user_id: String(FIRST_BUYER + index), name },
        ...(coupon_code && { coupon_code }),
      });
      if (isPaid) await first('PATCH', `/api/exchange-bot/invoices/${data.id}/status`, { status: 'paid' });
    }
  }

  /** The plans of the community that has a bot. */
  async function findSeller(): Promise<{ plans: { id: string }[] } | null> {
    for (const { id } of communities) {
      const { data: plans } = await first<{ data: { id: string }[] }>(
        'GET',
        `/api/exchange-bot/community/${id}/pricing`,
      );
      if (plans.length > 0) return { plans };
    }
    return null;
  }

  async function untilChecked(id: string): Promise<Pending> {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const pending = await first<Pending>('GET', `/api/super-admin/communities/${id}/pending-distributions`);
      if (pending.held.length === 0 || Date.now() > until) return pending;
      await sleep(LOOK_EVERY_MS, null, { signal });
    }
  }

  async function signIn(persona: string): Promise<Call> {
    const { token } = await ask<{ token: string }>('POST', '/api/demo/sign-in', { persona });
    return (method, path, body) => ask(method, path, body, { authorization: `Bearer ${token}` });
  }

  async function ask<T>(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
      signal,
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return (await response.json()) as T;
  }
}
