import type { Call, CallAnswer, CallInput } from '@copydesk/contract';
import type { Persona } from '@copydesk/contract/people';
import { send } from '../send.ts';
import type { TestAppOptions } from '../test-app.ts';
import { newAddress } from './addresses.ts';
import { addCommunity } from './communities.ts';
import { allowTips } from './invoicing.ts';
import { createInvoicingWorld } from './invoicing-world.ts';
import { usdt } from './usdt.ts';

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
export async function createOwingWorld(options: TestAppOptions = {}) {
  const world = await createInvoicingWorld(options);
  const { owner, app } = world;
  await allowTips(owner, 10n ** 9n);
  const token = await world.signIn('super');
  const other = await world.signIn('super-2');
  /** The present token of whoever has one of these: on a busy machine a test takes longer than a token lives. */
  const present = new Map<string, { persona: Persona; token: string }>([
    [token, { persona: 'super', token }],
    [other, { persona: 'super-2', token: other }],
  ]);
  const ask = async <K extends Call>(
    key: K,
    input: object,
    headers: Record<string, string> = {},
    as = token,
  ): Promise<Answer<K>> => {
    const caller = present.get(as);
    let answer = await send(app, key, input, caller?.token ?? as, headers);
    if (caller && answer.json().error === 'token_expired') {
      caller.token = await world.signIn(caller.persona);
      answer = await send(app, key, input, caller.token, headers);
    }
    return { status: answer.statusCode, body: answer.json() };
  };

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
    async addCommunity(wallet: string | null = newAddress()): Promise<OwingCommunity> {
      const external = newAddress();
      const [provider] = await owner<{ id: string }>(
        `UPDATE provider SET payout_address = coalesce(payout_address, $1), payment_split_percentage = 0.5
         WHERE name = (SELECT min(name) FROM provider) RETURNING id`,
        [newAddress()],
      );
      const providerId = provider?.id as string;
      const id = await addCommunity(owner, [providerId], {
        split_percentage: 5,
        external_wallet_address: external,
        internal_wallet_address: wallet,
      });
      return { id, providerId, wallet: wallet ?? '', external };
    },
    /** A trader of the community who paid invoices of these amounts, in whole USDT. */
    async addPaid(community: Pick<OwingCommunity, 'id' | 'providerId'>, ...amounts: number[]) {
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
    /** Payouts of a community by type. */
    payoutsOf: (communityId: string) =>
      owner<PayoutRow>(
        `SELECT id, status, problem, recipient_type, recipient_address, amount_units::text AS units, distribution_id,
           consolidate_transaction_hash, distribute_transaction_hash
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

export type OwingWorld = Awaited<ReturnType<typeof createOwingWorld>>;

interface PayoutRow extends Record<string, unknown> {
  id: string;
  status: string;
  problem: string | null;
  recipient_type: string;
  recipient_address: string;
  /** Base units. */
  units: string;
  distribution_id: string;
  consolidate_transaction_hash: string | null;
  distribute_transaction_hash: string | null;
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
