import { formatUnits } from 'viem';
import type { Config } from '../config.ts';
import {
  compareAfterRestore,
  type RestoreFindings,
  type SentSince,
} from '../features/transfers/reconciliation/compare-after-restore.ts';
import { createChainReader } from '../integrations/chain/chain-reader.ts';
import { createChainSender } from '../integrations/chain/chain-sender.ts';
import type { Actor } from '../platform/audit/audit.ts';
import type { Database } from '../platform/db/database.ts';
import { StartError } from '../platform/process/start-error.ts';
import { TOKEN_DECIMALS } from './token.ts';

/**
 * Compares the wallets of a restored database with the configured chain.
 * @throws StartError without a chain, or when it is another one
 */
export async function findAfterRestore(
  db: Database,
  { chain: settings }: Pick<Config, 'chain'>,
  actor: Actor,
): Promise<RestoreFindings> {
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
    chain: createChainSender(settings),
    reader,
    chainId: settings.chainId,
    tokenAddress: settings.tokenAddress.toLowerCase(),
    blocksAtOnce: settings.blocksAtOnce,
  });
}

/** For the operator: what was found, and what it means. */
export function describeFindings({ released, ahead, sent }: RestoreFindings): string[] {
  const lines = [`${released} wallets have sent nothing since the backup. They are released.`];
  if (ahead.length === 0) return lines;
  return [
    ...lines,
    `${ahead.length} have sent transactions that the books do not have. They stay frozen, so nothing is paid twice from them:`,
    ...ahead.map(
      ({ role, owner, address }) => `  ${address}  ${role}${owner === null ? '' : ` of ${owner}`}`,
    ),
    sent.length === 0
      ? 'None of these transactions moved tokens.'
      : 'Their token transfers since the backup:',
    ...sent.map(describeTransfer),
  ];
}

const describeTransfer = ({ hash, blockNumber, wallet, to, units }: SentSince) =>
  `  block ${blockNumber}  ${formatUnits(units, TOKEN_DECIMALS)} USDT from ${wallet.role}${wallet.owner === null ? '' : ` of ${wallet.owner}`} to ${to}  ${hash}`;
