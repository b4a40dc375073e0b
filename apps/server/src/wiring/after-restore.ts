import { formatUnits } from 'viem';
import type { Config } from '../config.ts';
import { stopPayments } from '../core/transfers/transfer-gate.store.ts';
import {
  type ComparedWallet,
  compareAfterRestore,
  type RestoreFindings,
  type SentSince,
} from '../features/transfers/reconciliation/compare-after-restore.ts';
import { createChainReader } from '../integrations/chain/chain-reader.ts';
import { createChainSender } from '../integrations/chain/chain-sender.ts';
import type { Actor } from '../platform/audit/audit.ts';
import { type Database, WHOLE_SCOPE } from '../platform/db/database.ts';
import { endEverySession } from '../platform/identity/sessions.store.ts';
import { StartError } from '../platform/process/start-error.ts';
import { TOKEN_DECIMALS } from './token.ts';

/** Also known to the restore, which stops payments for the same reason. */
export const RESTORED = 'The database was restored. Its wallets are compared with the chain';

/**
 * Makes a database safe that was restored by whatever means, and compares its wallets with the configured chain. First of
 * all payments stop, so that a worker that runs already signs nothing; sessions that had ended since the backup would be
 * back, so all end.
 * @throws StartError without a chain, or when it is another one
 */
export async function findAfterRestore(
  db: Database,
  { chain: settings }: Pick<Config, 'chain'>,
  actor: Actor,
): Promise<RestoreFindings> {
  await secure(db, actor);
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

/** Does nothing when an earlier run, or the restore, has done it: people may have signed in again. */
async function secure(db: Database, actor: Actor): Promise<void> {
  await db.write(WHOLE_SCOPE, actor, async (tx) => {
    if (!(await stopPayments(tx, { origin: 'command', reason: RESTORED }))) return;
    const sessions = await endEverySession(tx, new Date());
    tx.audit({
      action: 'database.secured',
      target: { kind: 'database', id: 'copydesk' },
      after: { ended_sessions: sessions },
    });
  });
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
