import { parseArgs } from 'node:util';
import { SETTING_NAMES, type SettingName } from '@copydesk/domain/settings';
import { checkSetup, type SetupState } from '@copydesk/domain/setup';
import { emailInAscii } from '@copydesk/domain/text';
import { type Config, readConfig, readOutgoing, readWorkerAuditKey } from '../config.ts';
import { settingsFrom } from '../core/settings/live-settings.ts';
import { readStoredSettings } from '../core/settings/stored-settings.views.ts';
import { forgetStandby, stopPayments } from '../core/transfers/transfer-gate.store.ts';
import { readSetupFacts } from '../features/operations/setup-facts.views.ts';
import { cancelPayout } from '../features/payouts/payout-acts.service.ts';
import {
  confirmSuperAdmin,
  createResetToken,
  endSessionsOf,
  makeSuperAdmin,
  removeSecondFactor,
  setDisabled,
} from '../features/people/users/operator.service.ts';
import { listUsers } from '../features/people/users/users.views.ts';
import { applyAsOperator } from '../features/settings/settings.service.ts';
import { resumePayments } from '../features/transfers/stops/stops.service.ts';
import { findRunningDatabase } from '../launcher/access-file.ts';
import { loadWorkerAuditKey } from '../platform/audit/audit-key.ts';
import { OPERATOR_ROLE } from '../platform/db/connection/connection.ts';
import { WHOLE_SCOPE, type WriteTx } from '../platform/db/database.ts';
import { originsOf } from '../platform/identity/origins.ts';
import { signInLink } from '../platform/identity/sign-in-link.ts';
import { createLog } from '../platform/observe/log.ts';
import { describeStartProblem } from '../platform/process/start-error.ts';
import { loadSealingBox } from '../platform/secrets/worker-box.ts';
import { createMailCheck } from '../platform/work/mail/smtp.ts';
import { redriveSyncs } from '../platform/work/sync-jobs.ts';
import { describeFindings, findAfterRestore } from './after-restore.ts';
import {
  checkDatabaseAddresses,
  checkDatabaseCertificate,
  checkDurability,
  checkInstallation,
  type Finding,
} from './check-installation.ts';
import { checkSettings } from './check-settings.ts';
import { openDirectory } from './connect-hosted.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import {
  approveOrderAsOperator,
  describeWaitingAddresses,
  describeWaitingOrders,
  releaseAddressesAsOperator,
} from './operator-orders.ts';
import { checkProgramFiles } from './own-program.ts';

const OPERATOR = { kind: 'system', id: 'operator', name: 'Operator' } as const;

const OPTIONS = {
  email: { type: 'string' },
  id: { type: 'string' },
  yes: { type: 'boolean' },
  name: { type: 'string' },
} as const;

type Environment = Record<string, string | undefined>;

interface AdminCall {
  /** The command and what follows it. */
  args: string[];
  /** The process's own where it is left out. */
  env?: Environment;
  print(line: string): void;
  /** What is wrong, and how the command is used. */
  complain(line: string): void;
}

interface Session extends Pick<OpenDatabase, 'db' | 'auditKeys'> {
  config: Config;
  now: Date;
  print(line: string): void;
  /** Of `--email`. */
  email: string;
  /** Of `--id`. */
  id: string;
  /** Of `--name`. */
  name: SettingName;
  reason: string;
  isSure: boolean;
}

interface Command {
  usage: string;
  /** What `--help` would say. */
  does: string;
  /** What has to be given beside the command. */
  needs?: 'email' | 'id' | 'name' | 'reason';
  /** @returns false when it found something wrong: the exit code is 1 then. */
  run(session: Session): Promise<unknown>;
}

const SIGNS: Record<SetupState, string> = { done: 'ok', missing: 'to do', wrong: 'WRONG' };
const sign = ({ isFine, text }: Finding) => `${SIGNS[isFine ? 'done' : 'wrong']}\t${text}`;

/** Signs people in at Clerk: there is no password and no second factor here. */
function refuseHosted({ config }: Session): void {
  if (config.hosted)
    throw new Error('Passwords and second factors are at Clerk: change them in its dashboard.');
}
const linkOf = ({ config }: Session, page: 'accept' | 'reset', token: string) =>
  signInLink(originsOf(config.publicUrl, config.port).main, page, token);
const write = <T>({ db }: Session, work: (tx: WriteTx) => Promise<T>) =>
  db.write(WHOLE_SCOPE, OPERATOR, work);
const currentSettings = ({ db, config }: Session) =>
  db.read(WHOLE_SCOPE, async (tx) => settingsFrom(config.settings, await readStoredSettings(tx)));

async function printUsers({ db, print }: Session): Promise<void> {
  const users = await db.read(WHOLE_SCOPE, (tx) => listUsers(tx, { limit: 10_000 }));
  for (const user of users) {
    const words = [user.super ? 'super' : user.admin ? 'admin' : 'no admin'];
    if (user.super && !user.confirmed) words.push('unconfirmed');
    if (!user.active) words.push('invited');
    if (user.disabled) words.push('disabled');
    if (user.two_factor_enabled) words.push('second factor');
    print(`${user.email}\t${words.join(', ')}\t${user.name}`);
  }
}

async function printSetup(session: Session): Promise<boolean> {
  const { db, config, now, print } = session;
  const mail = await createMailCheck(config.smtpUrl)();
  const { poolKeysRecipient: configured, dataDir } = config;
  const box = await loadSealingBox({ configured, dataDir });
  const settings = await currentSettings(session);
  const facts = await db.read(WHOLE_SCOPE, (tx) =>
    readSetupFacts(tx, {
      publicUrl: config.publicUrl ?? null,
      mail,
      hasOwnSignIn: !config.hosted,
      chainId: config.chain.chainId,
      apiRunsAs: null,
      poolKeysRecipient: box?.recipient ?? null,
      settings,
    }),
  );
  const steps = checkSetup(facts);
  for (const { state, text } of steps) print(`${SIGNS[state]}\t${text}`);
  const ofMachine = [
    checkProgramFiles(),
    checkDatabaseAddresses(config),
    checkDatabaseCertificate(db.pool, now) ?? [],
    await checkDurability(db, config.durability),
  ].flat();
  for (const finding of ofMachine) print(sign(finding));
  return steps.every(({ state }) => state === 'done') && ofMachine.every(({ isFine }) => isFine);
}

async function printChecks({ config, db, auditKeys, now, print }: Session): Promise<boolean> {
  let isFine = true;
  const log = createLog('error', 'admin');
  for await (const finding of checkInstallation({ config, db, auditKeys, log, now: () => now })) {
    print(sign(finding));
    isFine &&= finding.isFine;
  }
  return isFine;
}

async function createSuperAdmin(session: Session): Promise<void> {
  const { config, email, now, print } = session;
  const token = await write(session, (tx) => makeSuperAdmin(tx, email, now));
  if (token === null) print(`${email} is a super admin now.`);
  else if (config.hosted) {
    await (await openDirectory(config.hosted)).invite({ email, expiresInDays: 2 });
    print(`Clerk has sent an invitation to ${email}, good for 48 hours.`);
  } else print(`Good for 48 hours, once:\n${linkOf(session, 'accept', token)}`);
}

async function switchUser(session: Session, isDisabled: boolean): Promise<void> {
  await write(session, (tx) => setDisabled(tx, session.email, isDisabled, session.now));
  session.print(`${session.email} is ${isDisabled ? 'disabled' : 'enabled'}.`);
}

async function printAddresses({ db, now, print }: Session): Promise<void> {
  for (const line of await describeWaitingAddresses(db, () => now)) print(line);
}

const COMMANDS: Record<string, Command> = {
  doctor: {
    usage: 'doctor',
    does: 'what the settings and the set-up still need, also before the first start',
    run: printSetup,
  },
  check: {
    usage: 'check',
    does: 'ledger, audit, secrets, addresses and wallets, from the first row on',
    run: printChecks,
  },
  'after-restore': {
    usage: 'after-restore',
    does: 'after any restore: stops payments, and compares wallets with the chain',
    async run({ db, config, print }) {
      for (const line of describeFindings(await findAfterRestore(db, config, OPERATOR))) print(line);
    },
  },
  list: { usage: 'list', does: 'who may sign in', run: printUsers },
  create: {
    usage: 'create --email <address>',
    does: 'make a super admin; prints the link that lets it in',
    needs: 'email',
    run: createSuperAdmin,
  },
  confirm: {
    usage: 'confirm --email <address>',
    does: 'confirm a super admin, who may approve payouts from then on',
    needs: 'email',
    async run(session) {
      await write(session, (tx) => confirmSuperAdmin(tx, session.email, session.now));
      session.print(`${session.email} is a confirmed super admin now.`);
    },
  },
  reset: {
    usage: 'reset --email <address>',
    does: 'print a link to choose a new password, good for an hour',
    needs: 'email',
    async run(session) {
      refuseHosted(session);
      const token = await write(session, (tx) => createResetToken(tx, session.email, session.now));
      session.print(`Good for an hour, once:\n${linkOf(session, 'reset', token)}`);
    },
  },
  'remove-second-factor': {
    usage: 'remove-second-factor --email <address>',
    does: '',
    needs: 'email',
    async run(session) {
      refuseHosted(session);
      await write(session, (tx) => removeSecondFactor(tx, session.email, session.now));
      session.print(`${session.email} signs in with the password alone now.`);
    },
  },
  'end-sessions': {
    usage: 'end-sessions --email <address>',
    does: 'sign a user out everywhere',
    needs: 'email',
    async run(session) {
      const ended = await write(session, (tx) => endSessionsOf(tx, session.email, session.now));
      session.print(`${ended} ${ended === 1 ? 'session' : 'sessions'} of ${session.email} ended.`);
    },
  },
  disable: {
    usage: 'disable --email <address>',
    does: 'end the sessions and service tokens of a user, who may not sign in',
    needs: 'email',
    run: (session) => switchUser(session, true),
  },
  enable: {
    usage: 'enable --email <address>',
    does: '',
    needs: 'email',
    run: (session) => switchUser(session, false),
  },
  stop: {
    usage: 'stop "<reason>"',
    does: 'stop all payments at once: workers sign nothing but cancellations',
    needs: 'reason',
    async run(session) {
      const { reason } = session;
      const isNew = await write(session, (tx) => stopPayments(tx, { origin: 'command', reason }));
      session.print(isNew ? 'All payments are stopped.' : 'All payments were stopped already.');
    },
  },
  resume: {
    usage: 'resume "<reason>"',
    does: 'lift the stop',
    needs: 'reason',
    async run(session) {
      const wasStopped = await write(session, (tx) => resumePayments(tx, session.reason));
      session.print(wasStopped ? 'Payments go on.' : 'Payments were not stopped.');
    },
  },
  'forget-standby': {
    usage: 'forget-standby "<reason>"',
    does: 'pay out for an hour although no standby keeps what is signed',
    needs: 'reason',
    async run(session) {
      const until = await write(session, (tx) => forgetStandby(tx, session.reason));
      session.print(
        `Until ${until.toISOString()} payouts are sent without a standby. If the machine of the database is lost meanwhile, what was sent may be paid a second time: look at every wallet before the next one leads.`,
      );
    },
  },
  cancel: {
    usage: 'cancel --id <payout>',
    does: 'cancel a payout, also while payments are stopped',
    needs: 'id',
    async run(session) {
      const { status } = await write(session, (tx) => cancelPayout(tx, session.id));
      session.print(`The payout is ${status}. A worker cancels what is signed.`);
    },
  },
  redrive: {
    usage: 'redrive',
    does: 'send events of Stripe and Clerk again that were given up',
    async run(session) {
      const sent = await write(session, redriveSyncs);
      session.print(`${sent} ${sent === 1 ? 'subject is' : 'subjects are'} read again.`);
    },
  },
  'approve-setting': {
    usage: 'approve-setting --name <setting>',
    does: 'apply a change that waits, where no second super admin can',
    needs: 'name',
    async run(session) {
      const { config, now, name } = session;
      const deps = { base: config.settings, rules: { approverMinAgeMs: 0 }, now: () => now };
      await write(session, (tx) => applyAsOperator(tx, deps, name));
      session.print(`${name} is changed.`);
    },
  },
  addresses: { usage: 'addresses', does: 'payout addresses that wait for a release', run: printAddresses },
  'release-addresses': {
    usage: 'release-addresses --yes',
    does: 'release all of them, where no second super admin can',
    async run(session) {
      await printAddresses(session);
      session.print(
        session.isSure
          ? `${await releaseAddressesAsOperator(session.db)} addresses are released.`
          : 'Compare each with its owner, then add --yes.',
      );
    },
  },
  orders: {
    usage: 'orders',
    does: 'the orders that wait for another person',
    async run({ db, now, print }) {
      for (const line of await describeWaitingOrders(db, () => now)) print(line);
    },
  },
  'approve-order': {
    usage: 'approve-order --id <id>',
    does: 'approve one, where no second super admin can',
    needs: 'id',
    async run(session) {
      const { db, config, now, id } = session;
      const settings = await currentSettings(session);
      await approveOrderAsOperator(db, config, settings, { id, now: () => now });
      session.print('The order is approved.');
    },
  },
};

const USAGE = [
  'Usage: bin/copydesk admin <command>',
  ...Object.values(COMMANDS).map(({ usage, does }) => `  ${usage.padEnd(36)} ${does}`.trimEnd()),
].join('\n');

/** The configuration, with the embedded database of a running `npm start` where no other one is given. */
function findConfig(env: Environment | undefined): Config {
  const given = readConfig(env);
  if (given.databaseUrl) return given;
  const { ownerUrl, dataDir, url } = findRunningDatabase(given.dataDir);
  return {
    ...given,
    isDemo: true,
    databaseUrl: ownerUrl,
    databaseOperatorUrl: ownerUrl,
    durability: 'single',
    dataDir,
    publicUrl: given.publicUrl ?? (url || undefined),
  };
}

const isSettingName = (name: string | undefined): name is SettingName =>
  SETTING_NAMES.includes(name as SettingName);
/** As long as a reason in the console may be. */
const isReason = (text: string | undefined) => text !== undefined && text.trim() !== '' && text.length <= 200;

/** The command that was asked for, and what was given with it; null: there is no such use of it. */
function readCall(args: string[]) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  const [asked = '', reason] = positionals;
  const command = Object.hasOwn(COMMANDS, asked) ? COMMANDS[asked] : undefined;
  const email = values.email && emailInAscii(values.email);
  const isGiven = {
    email: command === COMMANDS.create ? email?.includes('@') : Boolean(email),
    id: Boolean(values.id),
    name: isSettingName(values.name),
    reason: isReason(reason),
  };
  if (!command || (command.needs && !isGiven[command.needs])) return null;
  const given = { email, id: values.id, name: values.name, reason, isSure: values.yes ?? false };
  return { command, given: given as Pick<Session, 'email' | 'id' | 'name' | 'reason' | 'isSure'> };
}

/**
 * Does what an operator asks for on the command line.
 * @returns the exit code: 1 for what is wrong, 2 for a command that there is not
 */
export async function runAdminCommand(call: AdminCall): Promise<number> {
  const { args, env, print, complain } = call;
  try {
    const asked = readCall(args);
    if (!asked) {
      complain(USAGE);
      return 2;
    }
    const { command, given } = asked;
    const config = findConfig(env);
    let isFine = true;
    if (command === COMMANDS.doctor) {
      // Before the database is opened, which may fail for what it finds.
      const { findings, isReached } = await checkSettings(config, readOutgoing(env));
      for (const finding of findings) print(sign(finding));
      isFine = findings.every((finding) => finding.isFine);
      if (!isReached) return 1;
    }
    const configured = readWorkerAuditKey(env);
    const workerAuditKey = await loadWorkerAuditKey({ configured, dataDir: config.dataDir });
    const open = await openDatabase(config, 'copydesk-admin', { workerAuditKey, role: OPERATOR_ROLE });
    const session = { ...open, ...given, config, now: new Date(), print };
    const result = await command.run(session).finally(() => open.db.close());
    return isFine && result !== false ? 0 : 1;
  } catch (error) {
    const found = describeStartProblem(error);
    complain(String(found?.problem ?? (error instanceof Error ? error.message : error)));
    if ((error as { code?: string }).code === '42501')
      complain(
        'This needs the login of operators: set DATABASE_OPERATOR_URL, as in operator.env (docs/operations/set-up.md).',
      );
    return found?.exitCode ?? 1;
  }
}
