import { sql } from 'kysely';
import { formatUnits } from 'viem';
import type { Config } from '../config.ts';
import { stopPayments } from '../core/transfers/transfer-gate.store.ts';
import {
  type ComparedWallet,
  compareAfterRestore,
  type RestoreFindings,
  type SentSince,
} from '../features/transfers/reconciliation/compare-after-restore.ts';
import { freezeEvery } from '../features/transfers/wallets/frozen-wallets.store.ts';
import { createChainReader } from '../integrations/chain/chain-reader.ts';
import { createChainSender } from '../integrations/chain/chain-sender.ts';
import type { Actor } from '../platform/audit/audit.ts';
import { type Database, type Tx, WHOLE_SCOPE, type WriteTx } from '../platform/db/database.ts';
import { endEverySession } from '../platform/identity/sessions.store.ts';
import { StartError } from '../platform/process/start-error.ts';
import { forgetWaitingMails } from '../platform/work/mail/mails.store.ts';
import { TOKEN_DECIMALS } from './chain-settings.ts';

const RESTORED = 'The database was restored. Its wallets are compared with the chain';

/**
 * Makes a database safe that was restored by whatever means, and compares its wallets with the configured chain. First of
 * all payments stop, so that a worker that runs already signs nothing.
 * @throws StartError without a chain, or when it is another one
 */
export async function findAfterRestore(
  db: Database,
  { chain: settings }: Pick<Config, 'chain'>,
  actor: Actor,
): Promise<RestoreFindings> {
  await secureOnce(db, actor);
  if (settings.rpcUrls.length === 0)
    throw new StartError('Set CHAIN_RPC_URLS: the wallets are compared with the chain.');
  const reader = createChainReader({ ...settings, tokenDecimals: TOKEN_DECIMALS });
  await reader.check().catch((error: Error & { shortMessage?: string }) => {
    const reason = (error.shortMessage ?? error.message).replace(/\.$/, '');
    throw new StartError(`The servers of CHAIN_RPC_URLS do not give the chain: ${reason}.`);
  });
  return compareAfterRestore({
    db,
    actor,
    now: () => new Date(),
    chain: createChainSender(settings),
    reader,
    chainId: settings.chainId,
    tokenAddress: settings.tokenAddress.toLowerCase(),
    blocksAtOnce: settings.blocksAtOnce,
  });
}

/**
 * Stops payments, ends sessions, since those that had ended since the backup would be back, and forgets mails that waited
 * then, since they were sent. @returns the number of ended sessions
 */
async function secure(tx: WriteTx, at: Date): Promise<number> {
  await stopPayments(tx, { origin: 'command', reason: RESTORED });
  await forgetWaitingMails(tx);
  return endEverySession(tx, at);
}

/** Does nothing when an earlier run, or the restore, has done it: people may have signed in again. */
async function secureOnce(db: Database, actor: Actor): Promise<void> {
  await db.write(WHOLE_SCOPE, actor, async (tx) => {
    if (await isSecured(tx)) return;
    const sessions = await secure(tx, new Date());
    tx.audit({
      action: 'database.secured',
      target: { kind: 'database', id: 'copydesk' },
      after: { ended_sessions: sessions },
    });
  });
}

/**
 * Whether it was done since payments stopped. A stop alone proves nothing: a worker that started earlier
 * found the chain ahead, or the backup was taken during one.
 */
async function isSecured(tx: Tx): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM transfer_gate g JOIN audit_entry e ON e.at >= g.stopped_since
    WHERE e.action IN ('database.restored', 'database.secured') LIMIT 1`.execute(tx.sql);
  return rows.length > 0;
}

/** For the operator: what was found, and what it means. */
export function describeFindings({ released, ahead, short, sent }: RestoreFindings): string[] {
  const lines = ['All payments are stopped, for every worker.'];
  if (released > 0) lines.push(`${released} wallets have sent nothing since the backup. They are released.`);
  const goOn = 'bin/copydesk admin resume "<reason>" lets payments go on.';
  if (ahead.length + short.length === 0) return [...lines, `Every wallet is as the books say. ${goOn}`];
  if (ahead.length > 0)
    lines.push(
      `${ahead.length} wallets are ahead: the chain has transactions of them that the books do not have. They are frozen, so nothing is paid twice from them:`,
      ...ahead.map(
        (wallet) =>
          `  ${wallet.address}  ${nameOf(wallet)}: ${wallet.chainNonce} transactions on chain, ${wallet.nextNonce} in the books; ${tokensOf(wallet)}`,
      ),
      ...describeSent(sent),
    );
  if (short.length > 0)
    lines.push(
      `${short.length} other wallets hold fewer tokens than the books say. Those that have sent before are frozen:`,
      ...short.map((wallet) => `  ${wallet.address}  ${nameOf(wallet)}: ${tokensOf(wallet)}`),
    );
  return [...lines, `When each is settled: ${goOn}`];
}

const nameOf = ({ role, owner }: Pick<ComparedWallet, 'role' | 'owner'>) =>
  `${role}${owner === null ? '' : ` of ${owner}`}`;

const usdt = (units: bigint) => `${formatUnits(units, TOKEN_DECIMALS)} USDT`;

const tokensOf = ({ ledgerUnits, chainUnits }: ComparedWallet) =>
  `${usdt(chainUnits)} on chain, ${ledgerUnits === null ? 'transfers in progress' : usdt(ledgerUnits)} in the books`;

function describeSent(sent: RestoreFindings['sent']): string[] {
  if (sent === null)
    return [
      'The books have never read the chain, so there is no block from which on to list their transfers.',
    ];
  return sent.length === 0
    ? ['None of their transactions in final blocks moved tokens.']
    : ['Their token transfers in final blocks since the backup:', ...sent.map(describeTransfer)];
}

const describeTransfer = ({ hash, blockNumber, wallet, to, units }: SentSince) =>
  `  block ${blockNumber}  ${usdt(units)} from ${nameOf(wallet)} to ${to}  ${hash}`;

const OPERATOR = { kind: 'system', id: 'operator', name: 'Operator' } as const;

/** Makes a restored database safe to start: its wallets may have sent transfers that it does not know, so all freeze. */
export function secureRestored(
  db: Database,
  { takenAt, now }: { takenAt: string; now: () => Date },
): Promise<{ wallets: number; sessions: number }> {
  return db.write(WHOLE_SCOPE, OPERATOR, async (tx) => {
    const wallets = await freezeEvery(tx, 'restored', now());
    const sessions = await secure(tx, now());
    tx.audit({
      action: 'database.restored',
      target: { kind: 'database', id: 'copydesk' },
      after: { backup_of: takenAt, frozen_wallets: wallets, ended_sessions: sessions },
    });
    return { wallets, sessions };
  });
}
