import { type Durability, durabilityProblem } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { reconcileLedger } from '../core/ledger/ledger.jobs.ts';
import { readReplication } from '../core/transfers/replication.views.ts';
import { listGivenAddresses } from '../features/deposits/deposit-addresses.views.ts';
import { findDepositKey } from '../features/deposits/deposit-key.store.ts';
import {
  type ComparedWallet,
  compareWallets,
} from '../features/transfers/reconciliation/compare-after-restore.ts';
import { reconcileWallets } from '../features/transfers/reconciliation/reconcile-wallets.ts';
import { fingerprintOf } from '../integrations/chain/account-key.ts';
import { createChainReader } from '../integrations/chain/chain-reader.ts';
import { createChainSender } from '../integrations/chain/chain-sender.ts';
import { createDepositAddresses } from '../integrations/chain/deposit-addresses.ts';
import type { AuditKeys } from '../platform/audit/entry-hashes.ts';
import { verifyAudit } from '../platform/audit/verify.ts';
import { limitStatements } from '../platform/db/begin.ts';
import { certificateEnd } from '../platform/db/connection/connection.ts';
import { isTransportSafe } from '../platform/db/connection/database-url.ts';
import { type Database, WHOLE_SCOPE } from '../platform/db/database.ts';
import { readMigrations } from '../platform/db/installation/migrate.ts';
import type { Logger } from '../platform/observe/log.ts';
import { loadKeyring } from '../platform/secrets/keyring.ts';
import { countSecrets } from '../platform/secrets/rotate-master-key.ts';
import { TOKEN_DECIMALS } from './chain-settings.ts';
import { SEALED_TABLES } from './sealed-tables.ts';

export interface Finding {
  isFine: boolean;
  text: string;
}

interface Checking {
  config: Config;
  db: Database;
  auditKeys: AuditKeys;
  log: Logger;
  now: () => Date;
}

/** The whole audit is read in one transaction. */
const AUDIT_TIMEOUT_MS = 600_000;
const ADDRESSES_AT_ONCE = 1_000;

const CHECKS: ReadonlyArray<(checking: Checking) => Promise<Finding>> = [
  checkSchema,
  checkLedger,
  checkAudit,
  checkSecrets,
  checkDepositAddresses,
  checkPayments,
  checkWallets,
  checkBackups,
];

/**
 * Checks everything that a restore, a move or a mistake could have broken: on demand, and from the first row on. It
 * changes nothing but that it freezes a wallet that differs from the chain, as the worker does.
 */
export async function* checkInstallation(checking: Checking): AsyncGenerator<Finding> {
  for (const check of CHECKS) yield await check(checking);
}

/** For the doctor: whether the addresses that it was given reach the database safely. */
export function checkDatabaseAddresses(config: Config): Finding {
  const addresses = {
    DATABASE_URL: config.databaseUrl,
    DATABASE_WORKER_URL: config.databaseWorkerUrl,
    DATABASE_OPERATOR_URL: config.databaseOperatorUrl,
    DATABASE_DIRECT_URL: config.databaseDirectUrl,
    DATABASE_OWNER_URL: config.databaseOwnerUrl,
    DATABASE_BACKUP_URL: config.databaseBackupUrl,
    DATABASE_ADMIN_URL: config.databaseAdminUrl,
  };
  const replicas = config.databaseReadUrls.map((url): [string, string] => ['DATABASE_READ_URL', url]);
  const unsafe = [...Object.entries(addresses), ...replicas]
    // Without one of its own, a variable has the address of another.
    .filter(([, url], at, all) => all.findIndex(([, other]) => other === url) === at)
    .filter(([variable, url]) => url !== undefined && !isTransportSafe(url, variable))
    .map(([variable]) => variable);
  return unsafe.length === 0
    ? { isFine: true, text: 'The database is on this machine, or its certificate is verified.' }
    : {
        isFine: false,
        text: `${unsafe.join(', ')} of another machine without sslmode=verify-full: whoever is between could read and change everything (docs/operations/set-up.md).`,
      };
}

/** The alert on the same figure fires this long before the end. */
const CERTIFICATE_DAYS = 30;

/** For the doctor: how long the certificate lasts that the database has shown; null: the connection is without TLS. */
export function checkDatabaseCertificate(pool: pg.Pool, now: Date): Finding | null {
  const end = certificateEnd(pool);
  if (!end) return null;
  const day = end.toISOString().slice(0, 10);
  return end.getTime() - now.getTime() > CERTIFICATE_DAYS * 86_400_000
    ? { isFine: true, text: `The certificate of the database ends on ${day}.` }
    : {
        isFine: false,
        text: `The certificate of the database ends on ${day}, after which no program connects: renew it (docs/operations/runbooks.md#copydeskdatabasecertificateends).`,
      };
}

const KEPT: Record<Durability, string> = {
  synchronous: 'A standby keeps what is committed.',
  single: 'One machine keeps what is committed, and its backups.',
  managed: 'The service of the database keeps what is committed, beneath PostgreSQL: this is not checked.',
};

/** For the doctor: whether what a worker signs would outlive the machine of the database, as the settings ask. */
export async function checkDurability(db: Database, durability: Durability): Promise<Finding> {
  const found = await db.read(WHOLE_SCOPE, readReplication);
  const problem = durabilityProblem(durability, found);
  if (problem !== null) return { isFine: false, text: `Nothing is paid out. ${problem}` };
  return found.forgottenUntil
    ? {
        isFine: false,
        text: `Payouts are sent without a standby until ${found.forgottenUntil.toISOString()}.`,
      }
    : { isFine: true, text: KEPT[durability] };
}

async function checkSchema({ db }: Checking): Promise<Finding> {
  const { rows } = await db.read(WHOLE_SCOPE, (tx) =>
    sql<{ name: string }>`SELECT name FROM schema_migration`.execute(tx.sql),
  );
  const applied = new Set(rows.map(({ name }) => name));
  const missing = (await readMigrations()).filter(({ name }) => !applied.has(name));
  return missing.length === 0
    ? { isFine: true, text: `Schema: ${applied.size} migrations, as this version has them` }
    : { isFine: false, text: `Schema: ${missing.length} migrations are missing. Run npm run migrate` };
}

async function checkLedger({ db, log, now }: Checking): Promise<Finding> {
  const mismatches = await reconcileLedger({ db, log, now }, 'all');
  return mismatches === 0
    ? { isFine: true, text: 'Ledger: every balance is the sum of its postings, and every journal balances' }
    : { isFine: false, text: `Ledger: ${mismatches} mismatches; the log above lists them` };
}

async function checkAudit({ db, auditKeys }: Checking): Promise<Finding> {
  const verdict = await db.read(WHOLE_SCOPE, async (tx) => {
    await limitStatements(tx, AUDIT_TIMEOUT_MS);
    return verifyAudit(tx.sql, auditKeys);
  });
  if (!verdict.intact)
    return { isFine: false, text: `Audit: entry ${verdict.seq} is wrong (${verdict.reason})` };
  if (verdict.foreign)
    return {
      isFine: false,
      text: `Audit: the chain is intact, but ${verdict.foreign.count} of its entries are under the worker's name without the worker's key; the first is ${verdict.foreign.firstSeq}`,
    };
  const waiting = verdict.unsealed === 0 ? '' : `; not sealed yet: ${verdict.unsealed}`;
  return {
    isFine: true,
    text:
      verdict.unchecked === 0
        ? `Audit: the chain of ${verdict.entries} is intact${waiting}`
        : `Audit: the chain of ${verdict.entries} is intact${waiting}. The workers' own hashes of ${verdict.unchecked} were not checked: run this with worker.keys.env, on the worker's machine`,
  };
}

async function checkSecrets({ db, config }: Checking): Promise<Finding> {
  const keyring = await loadKeyring(config.credentials);
  const counts = await db.read(WHOLE_SCOPE, (tx) => countSecrets(tx, SEALED_TABLES));
  const sum = (of: typeof counts) => of.reduce((total, { count }) => total + count, 0);
  const closed = sum(counts.filter(({ masterKeyId }) => !keyring.find(masterKeyId)));
  return closed === 0
    ? { isFine: true, text: `Secrets: CREDENTIALS_KEY opens all ${sum(counts)}` }
    : {
        isFine: false,
        text: `Secrets: ${closed} of ${sum(counts)} are sealed with another key than CREDENTIALS_KEY and CREDENTIALS_OTHER_KEYS`,
      };
}

async function checkDepositAddresses({
  db,
  config: { depositAccountKey, isDemo },
}: Checking): Promise<Finding> {
  // Its start hands the key to API and worker.
  if (isDemo && !depositAccountKey)
    return { isFine: true, text: 'Deposit addresses: those of the demo world, not compared with its seed' };
  const stored = await db.read(WHOLE_SCOPE, findDepositKey);
  if (!depositAccountKey)
    return {
      isFine: !stored,
      text: 'Deposit addresses: DEPOSIT_ACCOUNT_KEY is not set, so none is given out',
    };
  if (stored && stored !== fingerprintOf(depositAccountKey))
    return {
      isFine: false,
      text: 'Deposit addresses: DEPOSIT_ACCOUNT_KEY is not the key of this database. Deposits could not be paid out',
    };
  const addresses = createDepositAddresses(depositAccountKey);
  let checked = 0;
  for (let after = -1; ; ) {
    const given = await db.read(WHOLE_SCOPE, (tx) =>
      listGivenAddresses(tx, { after, limit: ADDRESSES_AT_ONCE }),
    );
    const last = given.at(-1);
    if (!last)
      return { isFine: true, text: `Deposit addresses: all ${checked} come from DEPOSIT_ACCOUNT_KEY` };
    const foreign = given.find(
      ({ index, address }) => addresses.at(index).toLowerCase() !== address.toLowerCase(),
    );
    if (foreign)
      return {
        isFine: false,
        text: `Deposit addresses: ${foreign.address} does not come from DEPOSIT_ACCOUNT_KEY`,
      };
    checked += given.length;
    after = last.index;
  }
}

async function checkPayments({ db }: Checking): Promise<Finding> {
  const { rows } = await db.read(WHOLE_SCOPE, (tx) =>
    sql<{ reason: string; stopped_at: Date }>`
      SELECT reason, stopped_at FROM transfer_stop WHERE lifted_at IS NULL`.execute(tx.sql),
  );
  const [stop] = rows;
  return stop
    ? { isFine: false, text: `Payments: stopped since ${stop.stopped_at.toISOString()}. ${stop.reason}` }
    : { isFine: true, text: 'Payments: not stopped' };
}

/** In one line. */
const WALLETS_SHOWN = 20;

async function checkWallets({ db, log, now, config: { chain } }: Checking): Promise<Finding> {
  if (chain.rpcUrls.length === 0)
    return { isFine: true, text: 'Wallets: not compared with the chain, because CHAIN_RPC_URLS is not set' };
  const tokenAddress = chain.tokenAddress.toLowerCase();
  const sender = createChainSender(chain);
  const { chainId } = chain;
  // Compares with the present chain first: as of the last block that it has read, a restored database always
  // agrees.
  const reader = createChainReader({ ...chain, tokenDecimals: TOKEN_DECIMALS });
  const ahead: ComparedWallet[] = [];
  for await (const page of compareWallets({ db, chain: sender, reader, chainId, withDeposits: false }))
    ahead.push(...page.ahead);
  if (ahead.length > 0) {
    const shown = ahead.slice(0, WALLETS_SHOWN).map(({ address, role, chainNonce, nextNonce }) => {
      return `${address} (${role}: ${chainNonce} on chain, ${nextNonce} in the books)`;
    });
    const more = ahead.length > shown.length ? ` and ${ahead.length - shown.length} more` : '';
    return {
      isFine: false,
      text: `Wallets: the chain has transactions of ${ahead.length} that the books do not have: ${shown.join(', ')}${more}. This database was restored, or the seed is used elsewhere. Run bin/copydesk admin after-restore`,
    };
  }
  const different = await reconcileWallets({ db, log, now, chain: sender, chainId, tokenAddress });
  const { rows } = await db.read(WHOLE_SCOPE, (tx) =>
    sql<{
      count: number;
    }>`SELECT count(*)::int AS count FROM chain_wallet WHERE frozen_because IS NOT NULL`.execute(tx.sql),
  );
  const frozen = rows[0]?.count ?? 0;
  return {
    isFine: different === 0 && frozen === 0,
    text:
      frozen === 0 && different === 0
        ? 'Wallets: books and chain agree'
        : `Wallets: ${different} differ from the chain, ${frozen} are frozen`,
  };
}

/** Backups from before this was recorded count as plain, which they were. */
async function checkBackups({ db }: Checking): Promise<Finding> {
  const { rows } = await db.read(WHOLE_SCOPE, (tx) =>
    sql<{ taken_at: Date; is_encrypted: boolean | null }>`
      SELECT taken_at, is_encrypted FROM backup_record WHERE finished_at IS NOT NULL
      ORDER BY taken_at DESC LIMIT 1`.execute(tx.sql),
  );
  const [newest] = rows;
  if (!newest) return { isFine: true, text: 'Backups: none is noted yet (docs/operations/backup.md)' };
  const when = `the newest, of ${newest.taken_at.toISOString()},`;
  return newest.is_encrypted
    ? { isFine: true, text: `Backups: ${when} is encrypted` }
    : {
        isFine: false,
        text: `Backups: ${when} is not encrypted. Set BACKUP_AGE_RECIPIENTS for bin/copydesk backup`,
      };
}
