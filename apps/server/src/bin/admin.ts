import { parseArgs } from 'node:util';
import { SETTING_NAMES, type SettingName } from '@copydesk/domain/settings';
import { checkSetup, type SetupState } from '@copydesk/domain/setup';
import { emailInAscii } from '@copydesk/domain/text';
import { type Config, readConfig, readOutgoing, readWorkerAuditKey } from '../config.ts';
import { settingsFrom } from '../core/settings/live-settings.ts';
import { readStoredSettings } from '../core/settings/stored-settings.views.ts';
import { stopPayments } from '../core/transfers/transfer-gate.store.ts';
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
import { WHOLE_SCOPE } from '../platform/db/database.ts';
import { originsOf } from '../platform/identity/origins.ts';
import { signInLink } from '../platform/identity/sign-in-link.ts';
import { createLog } from '../platform/observe/log.ts';
import { describeStartProblem } from '../platform/process/start-error.ts';
import { loadSealingBox } from '../platform/secrets/worker-box.ts';
import { createMailCheck } from '../platform/work/mail/smtp.ts';
import { redriveSyncs } from '../platform/work/sync-jobs.ts';
import { describeFindings, findAfterRestore } from '../wiring/after-restore.ts';
import {
  checkDatabaseAddresses,
  checkDatabaseCertificate,
  checkInstallation,
} from '../wiring/check-installation.ts';
import { checkSettings } from '../wiring/check-settings.ts';
import { openDirectory } from '../wiring/connect-hosted.ts';
import { type OpenDatabase, openDatabase } from '../wiring/open-database.ts';
import {
  approveOrderAsOperator,
  describeWaitingAddresses,
  describeWaitingOrders,
  releaseAddressesAsOperator,
} from '../wiring/operator-orders.ts';
import { checkProgramFiles } from '../wiring/own-program.ts';

const USAGE = `Usage: bin/copydesk admin <command>
  doctor                               what the settings and the set-up still need, also before the first start
  check                                ledger, audit, secrets, addresses and wallets, from the first row on
  after-restore                        after any restore: stops payments, and compares wallets with the chain
  list                                 who may sign in
  create --email <address>             make a super admin; prints the link that lets it in
  confirm --email <address>            confirm a super admin, who may approve payouts from then on
  reset --email <address>              print a link to choose a new password, good for an hour
  remove-second-factor --email <address>
  end-sessions --email <address>       sign a user out everywhere
  disable --email <address>            end the sessions and service tokens of a user, who may not sign in
  enable --email <address>
  stop "<reason>"                      stop all payments at once: workers sign nothing but cancellations
  resume "<reason>"                    lift the stop
  cancel --id <payout>                 cancel a payout, also while payments are stopped
  redrive                              send events of Stripe and Clerk again that were given up
  approve-setting --name <setting>     apply a change that waits, where no second super admin can
  addresses                            payout addresses that wait for a release
  release-addresses --yes              release all of them, where no second super admin can
  orders                               the orders that wait for another person
  approve-order --id <id>              approve one, where no second super admin can`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    email: { type: 'string' },
    id: { type: 'string' },
    yes: { type: 'boolean' },
    name: { type: 'string' },
  },
});
const operator = { kind: 'system', id: 'operator', name: 'Operator' } as const;
const now = new Date();

const isSettingName = (name: string | undefined): name is SettingName =>
  SETTING_NAMES.includes(name as SettingName);

/** As long as a reason in the console may be. */
const isReason = (text: string | undefined): text is string =>
  text !== undefined && text.trim() !== '' && text.length <= 200;

const SIGNS: Record<SetupState, string> = { done: 'ok', missing: 'to do', wrong: 'WRONG' };

/** The configuration, with the embedded database of a running `npm start` where no other one is given. */
async function findConfig(): Promise<Config> {
  const given = readConfig();
  if (given.databaseUrl) return given;
  const { ownerUrl, dataDir, url } = findRunningDatabase(given.dataDir);
  return {
    ...given,
    isDemo: true,
    databaseUrl: ownerUrl,
    databaseOperatorUrl: ownerUrl,
    dataDir,
    publicUrl: given.publicUrl ?? (url || undefined),
  };
}

async function run({ db, auditKeys }: Pick<OpenDatabase, 'db' | 'auditKeys'>, config: Config): Promise<void> {
  const { main: origin } = originsOf(config.publicUrl, config.port);
  const [command, reason] = positionals;
  const email = values.email === undefined ? undefined : emailInAscii(values.email);
  if (command === 'list') {
    const users = await db.read(WHOLE_SCOPE, (tx) => listUsers(tx, { limit: 10_000 }));
    for (const user of users) {
      const words = [user.super ? 'super' : user.admin ? 'admin' : 'no admin'];
      if (user.super && !user.confirmed) words.push('unconfirmed');
      if (!user.active) words.push('invited');
      if (user.disabled) words.push('disabled');
      if (user.two_factor_enabled) words.push('second factor');
      console.log(`${user.email}\t${words.join(', ')}\t${user.name}`);
    }
  } else if (command === 'doctor') {
    const mail = await createMailCheck(config.smtpUrl)();
    const { poolKeysRecipient: configured, dataDir } = config;
    const box = await loadSealingBox({ configured, dataDir });
    const facts = await db.read(WHOLE_SCOPE, async (tx) =>
      readSetupFacts(tx, {
        publicUrl: config.publicUrl ?? null,
        mail,
        hasOwnSignIn: !config.hosted,
        chainId: config.chain.chainId,
        apiRunsAs: null,
        poolKeysRecipient: box?.recipient ?? null,
        settings: settingsFrom(config.settings, await readStoredSettings(tx)),
      }),
    );
    const steps = checkSetup(facts);
    for (const { state, text } of steps) console.log(`${SIGNS[state]}\t${text}`);
    const ofMachine = [
      checkProgramFiles(),
      checkDatabaseAddresses(config),
      checkDatabaseCertificate(db.pool, now) ?? [],
    ].flat();
    for (const { isFine, text } of ofMachine) console.log(`${SIGNS[isFine ? 'done' : 'wrong']}\t${text}`);
    if (
      [...steps.map(({ state }) => state === 'done'), ...ofMachine.map(({ isFine }) => isFine)].includes(
        false,
      )
    )
      process.exitCode = 1;
  } else if (command === 'check') {
    for await (const { isFine, text } of checkInstallation({
      config,
      db,
      auditKeys,
      log: createLog('error', 'admin'),
      now: () => now,
    })) {
      console.log(`${isFine ? 'ok' : 'WRONG'}\t${text}`);
      if (!isFine) process.exitCode = 1;
    }
  } else if (command === 'after-restore') {
    for (const line of describeFindings(await findAfterRestore(db, config, operator))) console.log(line);
  } else if (command === 'create' && email?.includes('@')) {
    const token = await db.write(WHOLE_SCOPE, operator, (tx) => makeSuperAdmin(tx, email, now));
    if (token === null) console.log(`${email} is a super admin now.`);
    else if (config.hosted) {
      await (await openDirectory(config.hosted)).invite({ email, expiresInDays: 2 });
      console.log(`Clerk has sent an invitation to ${email}, good for 48 hours.`);
    } else console.log(`Good for 48 hours, once:\n${signInLink(origin, 'accept', token)}`);
  } else if (command === 'confirm' && email) {
    await db.write(WHOLE_SCOPE, operator, (tx) => confirmSuperAdmin(tx, email, now));
    console.log(`${email} is a confirmed super admin now.`);
  } else if (config.hosted && (command === 'reset' || command === 'remove-second-factor')) {
    throw new Error('Passwords and second factors are at Clerk: change them in its dashboard.');
  } else if (command === 'reset' && email) {
    const token = await db.write(WHOLE_SCOPE, operator, (tx) => createResetToken(tx, email, now));
    console.log(`Good for an hour, once:\n${signInLink(origin, 'reset', token)}`);
  } else if (command === 'remove-second-factor' && email) {
    await db.write(WHOLE_SCOPE, operator, (tx) => removeSecondFactor(tx, email, now));
    console.log(`${email} signs in with the password alone now.`);
  } else if (command === 'end-sessions' && email) {
    const ended = await db.write(WHOLE_SCOPE, operator, (tx) => endSessionsOf(tx, email, now));
    console.log(`${ended} ${ended === 1 ? 'session' : 'sessions'} of ${email} ended.`);
  } else if ((command === 'disable' || command === 'enable') && email) {
    await db.write(WHOLE_SCOPE, operator, (tx) => setDisabled(tx, email, command === 'disable', now));
    console.log(`${email} is ${command}d.`);
  } else if (command === 'stop' && isReason(reason)) {
    const isNew = await db.write(WHOLE_SCOPE, operator, (tx) =>
      stopPayments(tx, { origin: 'command', reason }),
    );
    console.log(isNew ? 'All payments are stopped.' : 'All payments were stopped already.');
  } else if (command === 'resume' && isReason(reason)) {
    const wasStopped = await db.write(WHOLE_SCOPE, operator, (tx) => resumePayments(tx, reason));
    console.log(wasStopped ? 'Payments go on.' : 'Payments were not stopped.');
  } else if (command === 'cancel' && values.id) {
    const { id } = values;
    const { status } = await db.write(WHOLE_SCOPE, operator, (tx) => cancelPayout(tx, id));
    console.log(`The payout is ${status}. A worker cancels what is signed.`);
  } else if (command === 'redrive') {
    const sent = await db.write(WHOLE_SCOPE, operator, redriveSyncs);
    console.log(`${sent} ${sent === 1 ? 'subject is' : 'subjects are'} read again.`);
  } else if (command === 'approve-setting' && isSettingName(values.name)) {
    const { name } = values;
    const deps = { base: config.settings, rules: { approverMinAgeMs: 0 }, now: () => now };
    await db.write(WHOLE_SCOPE, operator, (tx) => applyAsOperator(tx, deps, name));
    console.log(`${name} is changed.`);
  } else if (command === 'addresses' || command === 'release-addresses') {
    for (const line of await describeWaitingAddresses(db, () => now)) console.log(line);
    if (command === 'release-addresses' && values.yes)
      console.log(`${await releaseAddressesAsOperator(db)} addresses are released.`);
    else if (command === 'release-addresses') console.log('Compare each with its owner, then add --yes.');
  } else if (command === 'orders') {
    for (const line of await describeWaitingOrders(db, () => now)) console.log(line);
  } else if (command === 'approve-order' && values.id) {
    const settings = await db.read(WHOLE_SCOPE, async (tx) =>
      settingsFrom(config.settings, await readStoredSettings(tx)),
    );
    await approveOrderAsOperator(db, config, settings, { id: values.id, now: () => now });
    console.log('The order is approved.');
  } else {
    console.error(USAGE);
    process.exitCode = 2;
  }
}

/** Before the database is opened, which may fail for what it finds. @returns whether it can be opened at all */
async function reportSettings(config: Config): Promise<boolean> {
  const { findings, isReached } = await checkSettings(config, readOutgoing());
  for (const { isFine, text } of findings) console.log(`${SIGNS[isFine ? 'done' : 'wrong']}\t${text}`);
  if (findings.some(({ isFine }) => !isFine)) process.exitCode = 1;
  return isReached;
}

/** Shown without a configuration and without a database: a person asks for it before having either. */
async function main(): Promise<void> {
  if (positionals.length === 0) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const config = await findConfig();
  if (positionals[0] === 'doctor' && !(await reportSettings(config))) return;
  const workerAuditKey = await loadWorkerAuditKey({
    configured: readWorkerAuditKey(),
    dataDir: config.dataDir,
  });
  const { db, auditKeys } = await openDatabase(config, 'copydesk-admin', {
    workerAuditKey,
    role: OPERATOR_ROLE,
  });
  await run({ db, auditKeys }, config).finally(() => db.close());
}

try {
  await main();
} catch (error) {
  const found = describeStartProblem(error);
  console.error(found?.problem ?? (error instanceof Error ? error.message : error));
  if ((error as { code?: string }).code === '42501')
    console.error(
      'This needs the login of operators: set DATABASE_OPERATOR_URL, as in operator.env (docs/operations/set-up.md).',
    );
  process.exitCode = found?.exitCode ?? 1;
}
