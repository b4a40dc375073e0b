import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { accountKeyOf } from '../../../apps/server/src/integrations/chain/account-key.ts';
import { createWalletKeys } from '../../../apps/server/src/integrations/chain/wallet-keys.ts';
import { send } from '../send.ts';
import { deriveAll } from './derive-all.ts';
import { createInvoicingWorld } from './invoicing-world.ts';
import { findUnsound } from './sound-invoices.ts';

/** What a bot sells, by the calls that its people make; without Telegram. No address of a buyer is derived yet. */
export async function createSellingWorld() {
  const seed = randomBytes(32);
  const world = await createInvoicingWorld({ env: { DEPOSIT_ACCOUNT_KEY: accountKeyOf(seed) } });
  const superAdmin = await world.signIn('super');
  const planOf = async (name: string) => {
    const [plan] = await world.owner<{ id: string; bot_id: string; community_id: string }>(
      `SELECT p.id, p.bot_id, b.community_id FROM exchange_bot_plan p JOIN exchange_bot b ON b.id = p.bot_id
       WHERE p.name = $1`,
      [name],
    );
    return plan ?? { id: '', bot_id: '', community_id: '' };
  };
  const [month, year] = [await planOf('One month'), await planOf('One year')];
  let lastPerson = 700_000_000;

  async function as(call: string, parts: Parameters<typeof send>[2] = {}, token = superAdmin) {
    const answer = await send(world.app, call, parts, token);
    const { data, error, message, meta } = answer.json();
    return { status: answer.statusCode, data, error, message, meta };
  }
  const newPerson = () => {
    lastPerson += 1;
    return String(lastPerson);
  };

  return {
    ...world,
    communityId: month.community_id,
    month: month.id,
    year: year.id,
    as,
    newPerson,
    deriveAddresses: () => deriveAll({ db: world.db, keys: createWalletKeys(seed) }),
    /** The sums of a day begin anew. */
    beginDay: () => world.owner(`UPDATE money_order SET requested_at = requested_at - interval '2 days'`),
    /** By default of a new person, for a month. */
    order: (changes: Record<string, unknown> = {}) =>
      as('POST /api/exchange-bot/invoices', {
        body: {
          plan_id: month.id,
          ...('trader_id' in changes ? {} : { buyer: { telegram_user_id: newPerson(), name: 'Ada Berg' } }),
          ...changes,
        },
      }),
    change: (id: string, status: string) =>
      as('PATCH /api/exchange-bot/invoices/{id}/status', { params: { id }, body: { status } }),
    coupon: (id: string, code: string) =>
      as('POST /api/exchange-bot/invoices/{id}/apply-coupon', {
        params: { id },
        body: { coupon_code: code },
      }),
    async newCoupon(terms: Record<string, unknown>) {
      const code = `T${randomUUID().slice(0, 8).toUpperCase()}`;
      const added = await as('POST /api/exchange-bot/{id}/coupons', {
        params: { id: month.bot_id },
        body: { code, ...terms },
      });
      expect(added.status).toBe(201);
      return code;
    },
    ordersOf: async (trader: string) =>
      (await as('GET /api/exchange-bot/invoices/user/{id}', { params: { id: trader }, query: {} })).data,
    async payables(id: string): Promise<Record<string, bigint>> {
      const rows = await world.owner<{ type: string; units: string }>(
        'SELECT recipient_type AS type, amount_units::text AS units FROM payable WHERE invoice_id = $1',
        [id],
      );
      return Object.fromEntries(rows.map(({ type, units }) => [type, BigInt(units)]));
    },
    sound: async () => expect(await findUnsound(world)).toEqual({}),
  };
}
export type SellingWorld = Awaited<ReturnType<typeof createSellingWorld>>;
