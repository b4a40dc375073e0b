import { randomBytes, randomUUID } from 'node:crypto';
import type { Call, CallAnswer, CallInput } from '@copydesk/contract';
import { getAddress } from 'viem';
import { expect } from 'vitest';
import { createInvoicingWorld, findUnsound, usdt } from './invoicing.ts';
import { send } from './send.ts';
import type { TestAppOptions } from './test-app.ts';

/** An address without an owner, in its EIP-55 form. */
export const newAddress = () => getAddress(`0x${randomBytes(20).toString('hex')}`);

export interface OwingCommunity {
  id: string;
  providerId: string;
  wallet: string;
  external: string;
}

interface Answer<K extends Call> {
  status: number;
  body: CallAnswer<K> & { error?: string; message?: string; details?: { path: string; message: string }[] };
}

/** The demo world at a tenth, with communities whose debts a test creates, and two super admins. No chain. */
export async function createDistributionWorld(options: TestAppOptions = {}) {
  const world = await createInvoicingWorld(options);
  const { owner, app } = world;
  const token = await world.signIn('super');
  const ask = async <K extends Call>(
    key: K,
    input: object,
    headers: Record<string, string> = {},
    as = token,
  ): Promise<Answer<K>> => {
    const answer = await send(app, key, input, as, headers);
    return { status: answer.statusCode, body: answer.json() };
  };
  const other = await world.signIn('super-2');

  return {
    ...world,
    token,
    /** Calls as another super admin. */
    other,
    ask: <K extends Call>(key: K, input: CallInput<K>, headers?: Record<string, string>, as?: string) =>
      ask(key, input, headers, as),
    /** Like `ask`, with input outside the contract's types. */
    askAnything: ask,
    /** A community with a wallet and an address for its own share, and one provider with an address. */
    async addCommunity(): Promise<OwingCommunity> {
      const id = randomUUID();
      const [wallet, external] = [newAddress(), newAddress()];
      const [provider] = await owner<{ id: string }>(
        `UPDATE provider SET payout_address = coalesce(payout_address, $1), payment_split_percentage = 0.5
         WHERE name = (SELECT min(name) FROM provider) RETURNING id`,
        [newAddress()],
      );
      const providerId = provider?.id as string;
      await owner(
        `INSERT INTO community (id, name, split_percentage, external_wallet_address, internal_wallet_address)
         VALUES ($1::uuid, $1::text, 5, $2, $3)`,
        [id, external, wallet],
      );
      await owner('INSERT INTO community_provider (community_id, provider_id) VALUES ($1, $2)', [
        id,
        providerId,
      ]);
      return { id, providerId, wallet, external };
    },
    /** A trader of the community who paid invoices of these amounts, in whole USDT. */
    async addPaid(community: OwingCommunity, ...amounts: number[]): Promise<{ id: string }> {
      const trader = await world.addTrader({
        community_id: community.id,
        selected_provider_id: community.providerId,
      });
      for (const amount of amounts) {
        await world.addPositions(trader, String(2 * amount));
        await world.invoice();
        await world.pay(trader.id, usdt(amount));
      }
      return trader;
    },
    pending: async (communityId: string) =>
      (
        await ask('GET /api/super-admin/communities/{id}/pending-distributions', {
          params: { id: communityId },
        })
      ).body,
    distribute: (communityId: string, body: object = {}, headers?: Record<string, string>, as?: string) =>
      ask(
        'POST /api/super-admin/communities/{id}/distribute',
        { params: { id: communityId }, body },
        headers,
        as,
      ),
    payoutsOf: (communityId: string) =>
      owner<PayoutRow>(
        `SELECT id, status, problem, recipient_type, recipient_address, amount_units::text AS units, distribution_id
         FROM payout WHERE community_id = $1 ORDER BY created_at, recipient_type, id`,
        [communityId],
      ),
    transfersOf: (communityId: string) =>
      owner<TransferRow>(
        `SELECT i.id, i.kind, i.state, i.amount_units::text AS units, i.payout_id, i.to_address,
           w.address AS from_address, w.owner_id, i.is_cancel_asked
         FROM transfer i JOIN chain_wallet w ON w.id = i.wallet_id WHERE i.community_id = $1
         ORDER BY i.created_at, i.id`,
        [communityId],
      ),
    auditOf: (targetId: string) =>
      owner<{ action: string; before: object | null; after: object | null }>(
        'SELECT action, before, after FROM audit_entry WHERE target_id = $1 ORDER BY seq',
        [targetId],
      ),
    /** Counts all tables that a distribution writes to, to prove that nothing changed. */
    counted: () =>
      owner(`SELECT (SELECT count(*) FROM distribution) AS distributions, (SELECT count(*) FROM transfer) AS intents,
        (SELECT count(*) FROM payout) AS payouts, (SELECT count(*) FROM ledger_reservation) AS reservations,
        (SELECT count(*) FROM chain_wallet) AS wallets, (SELECT count(*) FROM journal) AS journals,
        (SELECT count(*) FROM audit_entry) AS audited,
        (SELECT count(*) FROM payable WHERE payout_id IS NOT NULL) AS put,
        (SELECT count(*) FROM payable WHERE consolidation_id IS NOT NULL) AS consolidated`),
    /** Ends a transfer as if the worker had seen it, with a transaction if it was sent. */
    endTransfer: (id: string, state: 'sent' | 'final' | 'reverted' | 'cancelled') =>
      owner(
        `UPDATE transfer i SET state = $2, ended_at = CASE WHEN $2 = 'sent' THEN NULL::timestamptz ELSE now() END,
           nonce = coalesce(nonce, (SELECT coalesce(max(o.nonce) + 1, 0) FROM transfer o
             WHERE o.wallet_id = i.wallet_id)) WHERE id = $1`,
        [id, state],
      ),
  };
}

export type DistributionWorld = Awaited<ReturnType<typeof createDistributionWorld>>;

interface PayoutRow extends Record<string, unknown> {
  id: string;
  status: string;
  problem: string | null;
  recipient_type: string;
  recipient_address: string;
  units: string;
  distribution_id: string;
}

interface TransferRow extends Record<string, unknown> {
  id: string;
  kind: 'consolidate' | 'distribute';
  state: string;
  units: string;
  payout_id: string | null;
  to_address: string;
  from_address: string;
  owner_id: string;
  is_cancel_asked: boolean;
}

/** Checks invariants: the books, and the reservations of each share and each payout. */
export async function expectSoundPayouts(world: DistributionWorld): Promise<void> {
  expect(await findUnsound(world)).toEqual({});
  const [row] = await world.owner<Record<string, string>>(`SELECT
    (SELECT count(*)::text FROM ledger_balance WHERE NOT allow_negative AND posted < pending) AS promised_twice,
    (SELECT count(*)::text FROM payout o WHERE o.distribution_id IS NOT NULL AND coalesce(o.problem, '') NOT IN
      ('declined', 'sent_again') AND o.amount_units <> (SELECT coalesce(sum(y.amount_units), 0) FROM payable y
        WHERE y.payout_id = o.id)) AS unlike_shares,
    (SELECT count(*)::text FROM payout o WHERE o.distribution_id IS NOT NULL AND o.status <> 'distributed' AND
      CASE WHEN o.problem IN ('declined', 'sent_again') THEN 0 ELSE o.amount_units END <> (
        SELECT coalesce(sum(r.amount), 0) FROM ledger_reservation r WHERE r.source_type = 'payout'
          AND r.source_id = o.id::text AND NOT EXISTS (SELECT FROM ledger_reservation_end e
            WHERE e.reservation_id = r.id))) AS unlike_reserved,
    (SELECT count(*)::text FROM transfer i WHERE i.kind = 'consolidate' AND i.state IN ('planned', 'sent') AND
      i.amount_units <> (SELECT coalesce(sum(y.amount_units), 0) FROM payable y
        WHERE y.consolidation_id = i.id)) AS unlike_consolidated,
    (SELECT count(*)::text FROM transfer i WHERE i.kind = 'consolidate' AND i.state IN ('planned', 'sent') AND
      i.amount_units IS DISTINCT FROM (SELECT sum(r.amount) FROM ledger_reservation r
        WHERE r.source_type = 'transfer' AND r.source_id = i.id::text AND NOT EXISTS (
          SELECT FROM ledger_reservation_end e WHERE e.reservation_id = r.id))) AS deposits_not_reserved`);
  expect(Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => value !== '0'))).toEqual({});
}
