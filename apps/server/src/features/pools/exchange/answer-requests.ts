import { decidePoolKey } from '@copydesk/domain/pools';
import { failureOf } from '../../../core/exchanges/gateway-failure.ts';
import { GatewayError } from '../../../integrations/exchanges/gateway.ts';
import type { PoolAccount, PoolKey } from '../../../integrations/exchanges/pool-records.ts';
import { isDatabaseGone } from '../../../platform/db/connection/outage.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { type EvidenceDeps, readEvidence } from '../evidence/read-evidence.ts';
import { refreshDepositAddress } from '../harvest/address/read-deposit-address.ts';
import { readCycles } from '../harvest/cycles.store.ts';
import { findPoolAccount, poolAccountOf } from '../keys/pool-account.ts';
import { POOL_KEY_VERSION, type StoredPoolKey } from '../keys/pool-key-box.ts';
import { readOwnAddress } from '../keys/read-own-address.ts';
import { LONGEST_WAIT_MS } from './ask-exchange.ts';
import * as store from './exchange-requests.store.ts';

export type AnswerDeps = EvidenceDeps & { log: Logger };

/** Questions of one worker at a time; more wait for another worker, or for these. */
const MOST_AT_ONCE = 24;
/** Another worker takes over from one that died, while the call still waits. */
const LEASE_SECONDS = 4;

/**
 * Answers the calls that need the exchange of a pool. Questions are worked on side by side: one exchange that hangs keeps
 * no other call waiting.
 */
export function createAnswering(deps: AnswerDeps) {
  const { db, log } = deps;
  const underWay = new Set<Promise<void>>();
  return {
    /** Takes what is asked, without waiting for the answers; returns whether more may be waiting. */
    async turn(): Promise<boolean> {
      const room = MOST_AT_ONCE - underWay.size;
      if (room === 0) return false;
      const times = { waitedSeconds: LONGEST_WAIT_MS / 1_000, leaseSeconds: LEASE_SECONDS };
      const taken = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.takeQuestions(tx, room, times));
      for (const question of taken) {
        const work = answer(deps, question).catch((error) => {
          log.error(
            { err: error, kind: question.kind, poolId: question.poolId },
            'a call about a pool failed',
          );
        });
        underWay.add(work);
        void work.then(() => underWay.delete(work));
      }
      return taken.length === room;
    },
    /** Waits for the answers under way. */
    settle: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
}

async function answer(deps: AnswerDeps, question: store.TakenQuestion): Promise<void> {
  const found = await find(deps, question).catch((error): Partial<store.PoolAnswer> => {
    // This is not an answer of the exchange: another worker asks again once the lease has ended.
    if (isDatabaseGone(error)) throw error;
    return { problem: failureOf(error) };
  });
  await deps.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.saveAnswer(tx, question.id, found));
}

/** @throws GatewayError */
async function find(
  deps: AnswerDeps,
  { id, kind, poolId, ...sealed }: store.TakenQuestion,
): Promise<Partial<store.PoolAnswer>> {
  const { db, venue, poolKeys } = deps;
  switch (kind) {
    case 'connection':
    case 'replacement': {
      const secrets = await poolKeys.open(partsOf(poolId, sealed));
      // Sealed for other workers: only they can answer.
      if (!secrets) throw new GatewayError('venue_unavailable');
      // The key has no pool yet, so it gets a budget of its own that no other reader shares.
      const account: PoolAccount = { key: `new ${id}`, credentials: { exchange: 'bybit', ...secrets } };
      const key = await venue.findKey(account, { priority: 'interactive' });
      const { region } = key;
      const refusal = decidePoolKey(key);
      const isWanted = kind === 'connection' && !refusal;
      const address = isWanted ? await readOwnAddress(venue, { ...account, region }) : null;
      return { ...describe(key), region, refusal, address: address?.address ?? null };
    }
    case 'description': {
      const account = await findPoolAccount(deps, poolId);
      if (!account) return { problem: { code: 'not_connected', isRetryable: false } };
      return describe(await venue.readKey(account, { priority: 'interactive' }));
    }
    case 'address':
      await refreshDepositAddress(deps, poolId, await poolAccountOf(deps, poolId));
      return {};
    case 'check':
    case 'withdrawal': {
      const [cycle] = await db.read(WHOLE_SCOPE, (tx) => readCycles(tx, [poolId]));
      if (cycle) await readEvidence(deps, { poolId, cycleId: cycle.id }, kind);
      return {};
    }
  }
}

const describe = ({ uid, ips, permissions, isMaster, expiresAt, readAt }: PoolKey) => ({
  uid,
  account: { ips, permissions, isMaster, expiresAt, readAt },
});

/** The parts of a new key, at the places where it will be stored. */
function partsOf(
  poolId: string,
  { apiKey, secretKey, recipient }: Pick<store.TakenQuestion, 'apiKey' | 'secretKey' | 'recipient'>,
): StoredPoolKey[] {
  if (!apiKey || !secretKey || !recipient) return [];
  const place = { poolId, version: POOL_KEY_VERSION };
  return [
    { ...place, field: 'api_key', ciphertext: apiKey, recipient },
    { ...place, field: 'secret_key', ciphertext: secretKey, recipient },
  ];
}
