import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decimalToUnits } from '@copydesk/domain/money';
import { createChats } from '@copydesk/simulators/world';

/** A person's calls. @throws Error when one is not answered with success */
export type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

interface Trader {
  id: string;
  community_id: string;
  telegram_user_id: string | null;
  external_wallet_address: string | null;
  created_at: string;
}
interface Invoice {
  id: string;
  amount: string;
  paid_amount: string;
}

/** Above what one person may write off within a day (the default of `write_off_above_usdt`), base units. */
const WRITTEN_OFF_UNITS = 1_200n * 10n ** 18n;
/** A Telegram id counts after 30 days. */
const KNOWN_FOR_MS = 31 * 86_400_000;
/** A worker reads the change, and asks its owner by the platform's bot. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 500;
const MOST_TRADERS = 600;

/** An address of the demo world that no one has the key of. */
const addressOf = (name: string) =>
  `0x${createHash('sha256').update(`demo world: ${name}`).digest('hex').slice(0, 40)}`;

/**
 * Leaves decisions for the persona that signs in first and for the second one: an order above the limit of one person, the
 * payout address of a community, a referrer, and two addresses of traders of whom one confirms and one says "Not me".
 * @param people first and second super admin; each can decide about what the other one began
 * @param telegramUrl of the simulated Telegram; null: there is none, and no trader is asked
 */
export async function leaveDecisionsOpen(
  { first, second }: { first: Call; second: Call },
  {
    communityId,
    telegramUrl,
    botId,
    signal,
  }: { communityId: string | undefined; telegramUrl: string | null; botId: number; signal: AbortSignal },
): Promise<void> {
  if (communityId)
    await second('PATCH', `/api/communities/${communityId}`, {
      external_wallet_address: addressOf('a new wallet of a community'),
    });
  const traders = await listOldest();
  await setReferrer(traders);
  await writeOff();
  if (telegramUrl === null) return;
  const chats = createChats(MOST_TRADERS);
  const known = traders.filter(
    ({ telegram_user_id: chat, external_wallet_address: wallet, created_at }) =>
      chat !== null &&
      wallet !== null &&
      chats.stateOf(chat) === 'open' &&
      Date.parse(created_at) < Date.now() - KNOWN_FOR_MS,
  );
  for (const [index, kind] of (['not_me', 'confirmed'] as const).entries()) {
    const trader = known[index];
    if (!trader) continue;
    await second('PATCH', `/api/traders/${trader.id}`, {
      external_wallet_address: addressOf(`a new wallet of a trader, ${kind}`),
    });
    await answer(telegramUrl, Number(trader.telegram_user_id), kind);
  }

  /** The traders who joined first: their order does not change. */
  async function listOldest(): Promise<Trader[]> {
    const query = new URLSearchParams({
      tab: 'connected',
      orderBy: 'created_at',
      orderDir: 'asc',
      limit: '100',
    });
    return (await second<{ data: Trader[] }>('GET', `/api/traders?${query}`)).data;
  }

  /** Records that a trader was referred by one of its community who joined before it. */
  async function setReferrer(candidates: readonly Trader[]): Promise<void> {
    for (const [index, trader] of candidates.entries()) {
      const referrer = candidates
        .slice(0, index)
        .find((one) => one.community_id === trader.community_id && one.external_wallet_address !== null);
      if (!referrer) continue;
      const { meta } = await second<{ meta: { referred_by: object | null } }>(
        'GET',
        `/api/traders/${trader.id}/referrals`,
      );
      if (meta.referred_by) continue;
      const of = await second<{ meta: { referral_code: string } }>(
        'GET',
        `/api/traders/${referrer.id}/referrals`,
      );
      await second('POST', '/api/traders/referral', {
        trader_id: trader.id,
        referral_code: of.meta.referral_code,
      });
      return;
    }
  }

  /** Orders that the oldest overdue invoices are marked as paid elsewhere: no trader is reminded of those any more. */
  async function writeOff(): Promise<void> {
    const query = new URLSearchParams({
      is_overdue: 'true',
      invoice_type: 'regular',
      orderBy: 'created_at',
      orderDir: 'asc',
      limit: '100',
    });
    const { data } = await first<{ data: Invoice[] }>('GET', `/api/invoices/admin/all?${query}`);
    const ids: string[] = [];
    let unpaidUnits = 0n;
    for (const { id, amount, paid_amount } of data) {
      if (unpaidUnits > WRITTEN_OFF_UNITS) break;
      ids.push(id);
      unpaidUnits += (decimalToUnits(amount) ?? 0n) - (decimalToUnits(paid_amount) ?? 0n);
    }
    if (unpaidUnits <= WRITTEN_OFF_UNITS) return;
    await first('PATCH', '/api/invoices/admin/status', {
      invoice_ids: ids,
      is_paid: true,
      reason: 'Settled by bank transfer before the move to this platform',
    });
  }

  /** Presses a button below the question, once it has arrived. */
  async function answer(url: string, personId: number, kind: 'confirmed' | 'not_me'): Promise<void> {
    for (
      const until = Date.now() + PATIENCE_MS;
      Date.now() < until;
      await sleep(LOOK_EVERY_MS, null, { signal })
    ) {
      const press = await findButton(url, personId, kind);
      if (press === null) continue;
      await fetch(`${url}/__people`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ bot: botId, person: { id: personId }, press }),
        signal,
      });
      return;
    }
  }

  async function findButton(url: string, personId: number, kind: string): Promise<string | null> {
    const response = await fetch(`${url}/__people?bot=${botId}&person=${personId}`, { signal });
    if (!response.ok) return null;
    const { messages } = (await response.json()) as {
      messages: { keyboard?: { callback_data?: string }[][] }[];
    };
    const buttons = messages.flatMap(({ keyboard }) => keyboard?.flat() ?? []);
    return (
      buttons.find(({ callback_data: data }) => data?.startsWith(`wallet:${kind}:`))?.callback_data ?? null
    );
  }
}
