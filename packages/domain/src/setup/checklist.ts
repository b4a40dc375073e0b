import type { WorkerBounds } from '../settings/platform-settings.ts';

/** What a new installation needs before its first payout, in the order in which it is set up. */
export const SETUP_STEPS = [
  'worker',
  'programs',
  'audit_key',
  'pool_keys',
  'public_address',
  'mail',
  'super_admin',
  'provider',
  'community',
  'recipients',
  'wallets',
  'chain',
  'gas',
  'telegram',
  'second_super_admin',
  'trader',
  'exchange_account',
  'limits',
  'backups',
  'address_hold',
] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** `wrong`: set up, but not working at the moment. */
export type SetupState = 'done' | 'missing' | 'wrong';

export interface CheckedStep {
  step: SetupStep;
  state: SetupState;
  /** A sentence: what was found, or what to do next. */
  text: string;
}

/** What was found in an installation, before it is judged. */
export interface SetupFacts {
  /** Workers whose heartbeat is recent. */
  workers: number;
  /** Of those: user and machine, as in `998@host`. Null: it runs below `npm start`. */
  workersRunAs: readonly (string | null)[];
  /** A problem of one worker's programs that an operator should fix. Null: none. */
  programProblem: string | null;
  /** User and machine of the API that asks; null: it runs below `npm start`, or a command asks. */
  apiRunsAs: string | null;
  /** Workers without AUDIT_WORKER_KEY. */
  workersWithoutAuditKey: number;
  /** The public key that the API seals keys of pools to. Null: it has none. */
  poolKeysRecipient: string | null;
  /** Public keys whose secret halves each worker has. */
  poolKeysOfWorkers: readonly (readonly string[])[];
  /** Pools, active or not. */
  pools: number;
  isDemo: boolean;
  /** Confirmed super admins who can sign in. */
  superAdmins: number;
  /** E-mail addresses of super admins without a second factor. Empty with hosted sign-in, which has its own. */
  superAdminsWithoutFactor: readonly string[];
  /** E-mail addresses of super admins whose invitation or confirmation is still open. */
  superAdminsToCome: readonly string[];
  /** The configured origin of the console. Null: it can be reached from this machine only. */
  publicUrl: string | null;
  /** Null: no mail server is configured. `problem`: why it refuses our mail at the moment. */
  mail: { problem: string | null } | null;
  /** Mails of the last seven days that failed for good, the latest first. `problem`: a reply code of the mail server. */
  failedMails: readonly { recipient: string; problem: string }[];
  /** Active providers. */
  providers: number;
  /** Communities that are not archived and have an active provider. */
  communities: number;
  /** Recipients with a share of the platform's part of invoices, but without an address to pay it to. */
  recipientsWithoutAddress: readonly string[];
  /** Whether there is an address for tips: what traders pay beyond their invoices. */
  hasTipAddress: boolean;
  /** Whether a worker with the seed has ever run. Only its fingerprint of the account key shows that. */
  hasSeed: boolean;
  /** Null: no worker has read a block yet. */
  chain: { stoppedBecause: string | null; secondsBehind: number } | null;
  /** Balance of the gas wallet in wei. Null: not read yet. */
  gasWei: bigint | null;
  /** Null: no worker with the seed has created the gas wallet yet. */
  gasAddress: string | null;
  /** The bot that messages traders. Null: none is set. */
  telegram: { username: string | null; problem: string | null } | null;
  hasTrader: boolean;
  hasExchangeAccount: boolean;
  /** Whether the last reading of at least one exchange account succeeded. */
  hasReadAccount: boolean;
  /** Bounds of payouts that the API or the worker does not have. The demo world has none. */
  missingLimits: readonly (keyof WorkerBounds)[];
  /** How long payouts wait after a change of their address. */
  addressHoldHours: number;
  /** The newest backup that was finished. `isEncrypted`: to BACKUP_AGE_RECIPIENTS. Null: none is noted. */
  backup: { isEncrypted: boolean; hoursOld: number } | null;
}

/** The variable of each limit, and what it limits. */
const LIMITS: Record<keyof WorkerBounds, string> = {
  approval_above_usdt: 'APPROVAL_ABOVE_USDT (orders of a day that one person may decide)',
  payout_max_per_transaction: 'PAYOUT_MAX_PER_TRANSACTION (the largest payout)',
  payout_max_per_day: 'PAYOUT_MAX_PER_DAY (all payouts of a day)',
};

/** Above this age of the last block that was read, deposits count as late. */
const CHAIN_LATE_SECONDS = 10 * 60;

/** The age at which the alert CopydeskBackupOld fires. */
const BACKUP_OLD_HOURS = 26;

const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

type Verdict = [SetupState, string];

const CHECKS: Record<SetupStep, (facts: SetupFacts) => Verdict> = {
  worker: ({ workers }) =>
    workers > 0
      ? ['done', workers === 1 ? 'One worker runs.' : `${workers} workers run.`]
      : ['missing', 'No worker runs. Start one with the same settings as the API.'],
  programs: ({ workers, workersRunAs, apiRunsAs, programProblem, isDemo }) => {
    if (isDemo) return ['done', 'In the demo world all programs run as one user.'];
    if (workers === 0) return ['missing', 'No worker runs that could say which user it runs as.'];
    if (workersRunAs.includes(null) || (apiRunsAs !== null && workersRunAs.includes(apiRunsAs)))
      return [
        'wrong',
        'A worker runs as the same user as an API, or below npm start. Whoever takes over that API has the seed of the wallets: give each program a user of its own, as in docs/operations/upgrading.md.',
      ];
    return programProblem === null
      ? ['done', 'Workers run as users of their own, and no other user can change their programs.']
      : ['wrong', `A worker reports: ${programProblem}`];
  },
  audit_key: ({ workers, workersWithoutAuditKey: without }) => {
    if (workers === 0) return ['missing', 'No worker runs that could say whether it has AUDIT_WORKER_KEY.'];
    return without === 0
      ? ['done', "Audit entries of workers are under a key of the workers' own."]
      : [
          'missing',
          'Set AUDIT_WORKER_KEY for every worker: 32 random characters or more, the same for all, and not for the API. Until then an API could write audit entries that look like theirs.',
        ];
  },
  pool_keys: ({ workers, poolKeysRecipient: recipient, poolKeysOfWorkers, pools }) => {
    const unset: SetupState = pools > 0 ? 'wrong' : 'missing';
    const without = pools > 0 ? 'Keys of pools are not read.' : 'No pool can be connected.';
    if (workers === 0) return ['missing', 'No worker runs that could say whether it has POOL_KEYS_IDENTITY.'];
    if (poolKeysOfWorkers.some((own) => own.length === 0))
      return [
        unset,
        `A worker has no POOL_KEYS_IDENTITY. ${without} Set it for every worker, and not for the API: "bin/copydesk keys" makes it with POOL_KEYS_RECIPIENT.`,
      ];
    if (recipient === null)
      return [unset, `The API has no POOL_KEYS_RECIPIENT. ${without} Set the one of POOL_KEYS_IDENTITY.`];
    if (poolKeysOfWorkers.some((own) => !own.includes(recipient)))
      return [
        'wrong',
        `POOL_KEYS_RECIPIENT of the API, ${recipient}, is not the public key of POOL_KEYS_IDENTITY of a worker, which cannot open what the API seals. Give both the same pair.`,
      ];
    return ['done', 'Keys of pools are sealed to the workers, and the API cannot open them.'];
  },
  super_admin: ({ superAdmins, superAdminsWithoutFactor: names }) => {
    if (superAdmins === 0)
      return ['missing', 'Create the first super admin. The log of the API has the address and the token.'];
    return names.length === 0
      ? ['done', 'Every super admin has a second factor.']
      : [
          'missing',
          `${names.join(' and ')} ${names.length === 1 ? 'needs' : 'need'} an authenticator app or a passkey, from the menu with the initials. Without it the console refuses everything about money.`,
        ];
  },
  second_super_admin: ({ superAdmins, superAdminsToCome: names }) => {
    if (superAdmins > 1) return ['done', `${superAdmins} super admins can approve each other's payouts.`];
    return names.length === 0
      ? [
          'missing',
          'Invite a second super admin under People. Nobody can approve a large payout that they ordered themselves.',
        ]
      : [
          'missing',
          `${names.join(' and ')} must accept the invitation and be confirmed: "bin/copydesk admin confirm --email ${names[0]}" on the server.`,
        ];
  },
  public_address: ({ publicUrl }) =>
    publicUrl === null
      ? ['missing', 'Set PUBLIC_URL to the address of the console. Links in messages lead to it.']
      : publicUrl.startsWith('https:')
        ? ['done', `The console is at ${publicUrl}.`]
        : ['wrong', `${publicUrl} is not https. Put a proxy with TLS in front, and set PUBLIC_URL.`],
  mail: ({ mail, failedMails: failed }) => {
    if (mail === null)
      return ['missing', 'Set SMTP_URL. Until then invitations are links that you pass on yourself.'];
    if (mail.problem !== null)
      return ['wrong', `The mail server of SMTP_URL does not accept our mail: ${mail.problem}.`];
    const [last] = failed;
    return last === undefined
      ? ['done', 'The mail server accepts our mail.']
      : [
          'done',
          `The mail server accepts our mail. ${failed.length === 1 ? 'One mail' : `${failed.length} mails`} of the last seven days failed, the latest to ${last.recipient} (${last.problem}).`,
        ];
  },
  provider: ({ providers }) =>
    providers > 0
      ? ['done', providers === 1 ? 'One provider is active.' : `${providers} providers are active.`]
      : ['missing', 'Create a provider under Providers.'],
  community: ({ communities }) =>
    communities > 0
      ? ['done', communities === 1 ? 'One community is open.' : `${communities} communities are open.`]
      : ['missing', 'Create a community under Super Admin, with a provider.'],
  recipients: ({ recipientsWithoutAddress: names, hasTipAddress }) =>
    names.length === 0
      ? [
          'done',
          hasTipAddress
            ? "The platform's recipients have addresses."
            : "The platform's recipients have addresses. Tips have none, and wait.",
        ]
      : [
          'missing',
          `Set the payout address of ${names.map(titled).join(' and ')} under Settings, or its weight to 0. Their part of invoices cannot be paid out without it.`,
        ],
  wallets: ({ hasSeed }) =>
    hasSeed
      ? ['done', 'The wallets come from the seed of the worker.']
      : ['missing', 'Set WALLET_SEED for the worker, and keep a copy of it. Without it no trader can pay.'],
  chain: ({ chain }) => {
    if (chain === null)
      return [
        'missing',
        'No block of the chain was read yet. Set CHAIN_RPC_URLS for the worker; its log says when none of them answers.',
      ];
    if (chain.stoppedBecause !== null)
      return ['wrong', `Reading of deposits has stopped: ${chain.stoppedBecause}`];
    return chain.secondsBehind > CHAIN_LATE_SECONDS
      ? [
          'wrong',
          'No new block was read for more than ten minutes. Look at the log of the worker, and at the servers of CHAIN_RPC_URLS.',
        ]
      : ['done', 'Deposits are read from the chain.'];
  },
  gas: ({ gasWei, gasAddress }) => {
    if (gasAddress === null) return ['missing', 'The gas wallet is made when a worker with the seed runs.'];
    if (gasWei === null) return ['missing', 'The worker has not read the gas wallet yet.'];
    return gasWei > 0n
      ? ['done', 'The gas wallet has coin.']
      : ['missing', `Send BNB to the gas wallet, ${gasAddress}. It pays for every transaction.`];
  },
  telegram: ({ telegram }) => {
    if (telegram === null)
      return [
        'missing',
        'Give the workers TELEGRAM_BOT_TOKEN, the token of the bot that messages traders. Until then messages fail.',
      ];
    return telegram.problem === null
      ? [
          'done',
          telegram.username ? `Traders are messaged by @${telegram.username}.` : 'Traders are messaged.',
        ]
      : [
          'wrong',
          'Telegram does not accept the bot that messages traders. Give the workers a token that works.',
        ];
  },
  trader: ({ hasTrader }) =>
    hasTrader
      ? ['done', 'There are traders.']
      : ['missing', 'Add a trader by POST /api/traders, with a service token of your own program.'],
  exchange_account: ({ hasExchangeAccount, hasReadAccount }) => {
    if (!hasExchangeAccount) return ['missing', 'Connect an exchange account on the page of a trader.'];
    return hasReadAccount
      ? ['done', 'Exchange accounts are read.']
      : ['wrong', 'No exchange account can be read. The page of a trader says why.'];
  },
  limits: ({ missingLimits: names, isDemo }) => {
    if (isDemo) return ['done', 'The demo world pays with play money, and needs no limits.'];
    return names.length === 0
      ? ['done', 'Payouts have limits.']
      : [
          'missing',
          `Payouts are not limited. For API and worker, set ${names.map((name) => LIMITS[name]).join(', ')}, and restart. "bin/copydesk keys --limits <USDT a day>" proposes values.`,
        ];
  },
  backups: ({ backup, isDemo }) => {
    if (isDemo) return ['done', 'The demo world needs no backups.'];
    if (backup === null)
      return [
        'missing',
        'No backup is noted. Set BACKUP_AGE_RECIPIENTS for the backups, and start their timer, as in docs/operations/backup.md.',
      ];
    if (!backup.isEncrypted)
      return [
        'wrong',
        'The newest backup is not encrypted. Set BACKUP_AGE_RECIPIENTS for the backups: "bin/copydesk keys --backup" makes a pair, on another machine.',
      ];
    return backup.hoursOld > BACKUP_OLD_HOURS
      ? ['wrong', `The newest backup is ${backup.hoursOld} hours old. Look at the timer of the backups.`]
      : ['done', 'The newest backup is encrypted.'];
  },
  address_hold: ({ addressHoldHours: hours }) =>
    hours > 0
      ? ['done', `A changed payout address waits ${hours === 1 ? 'an hour' : `${hours} hours`}.`]
      : [
          'missing',
          'A changed payout address is paid at once. When everything else is done, take PAYOUT_ADDRESS_HOLD_HOURS out and restart, or set the hold under Settings.',
        ],
};

/** Each step of the set-up, in order, with what to do about it. */
export function checkSetup(facts: SetupFacts): CheckedStep[] {
  return SETUP_STEPS.map((step) => {
    const [state, text] = CHECKS[step](facts);
    return { step, state, text };
  });
}
