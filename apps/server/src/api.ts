import type { AddressInfo } from 'node:net';
import type { Config } from './config.ts';
import { ensureDemoPersonas } from './features/people/set-up/demo-personas.ts';
import { offerSetup } from './features/people/set-up/offer-setup.ts';
import { createAccountAudit } from './features/people/users/account-audit.ts';
import { logNotices } from './integrations/exchanges/measure-venues.ts';
import { createThreadedGateway } from './integrations/exchanges/threaded-gateway.ts';
import { APPLICATION_ROLE } from './platform/db/connection/connection.ts';
import { createIdentity } from './platform/identity/create-identity.ts';
import { originsOf } from './platform/identity/origins.ts';
import type { Logger } from './platform/observe/log.ts';
import { serveMetrics } from './platform/observe/metrics.ts';
import { listenProblem } from './platform/process/listen-on.ts';
import { loadKeyring } from './platform/secrets/keyring.ts';
import { loadSealingBox } from './platform/secrets/worker-box.ts';
import { createMailer } from './platform/work/mail/mailer.ts';
import { createSmtp } from './platform/work/mail/smtp.ts';
import { createApp } from './wiring/app.ts';
import { connectHosted } from './wiring/connect-hosted.ts';
import { agreeOnDepositKey } from './wiring/deposit-key.ts';
import { interactiveSettings } from './wiring/exchange-settings.ts';
import { openDatabase } from './wiring/open-database.ts';
import { requireDemoWorld } from './wiring/require-demo-world.ts';

/** Opens the database, creates the API, and listens. */
export async function startApi(
  config: Config,
  log: Logger,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const now = () => new Date();
  const { url, directUrl, db } = await openDatabase(config, 'copydesk-api', {
    role: APPLICATION_ROLE,
    isApart: true,
    log,
  });
  db.replicas?.start();
  await requireDemoWorld({ db, config });
  await agreeOnDepositKey({ db, accountKey: config.depositAccountKey });
  const keyring = await loadKeyring(config.credentials);
  const { poolKeysRecipient: configured, dataDir } = config;
  const box = await loadSealingBox({ configured, dataDir });
  const gateway = createThreadedGateway(interactiveSettings(config), { onNotice: logNotices(log) });
  const send = createSmtp(config.smtpUrl, config.smtpFrom);
  const mailer = createMailer({ db, keyring, send, log, now });
  const identity = await createIdentity({
    databaseUrl: url,
    directUrl,
    hasUnnamedStatements: config.hasUnnamedStatements,
    secret: config.authSecret,
    sessionHours: config.sessionHours,
    dataDir: config.dataDir,
    publicUrl: config.publicUrl,
    port: config.port,
    mailer,
    log,
    now,
    onAccountChange: createAccountAudit({ db, log, mailer }),
    hosted: config.hosted && (await connectHosted({ settings: config.hosted, db, log, now })),
  });
  const origin = originsOf(config.publicUrl, config.port).main;
  if (identity.kind === 'embedded' && config.isDemo) await ensureDemoPersonas({ db, identity, now });

  const { app, metrics, close } = await createApp({
    config,
    directUrl,
    db,
    gateway,
    keyring,
    box,
    identity,
    mailer,
    origin,
    log,
    now,
  });
  const metricsServer = config.metricsPort
    ? await serveMetrics(metrics, {
        port: config.metricsPort,
        host: config.metricsHost,
        variable: 'METRICS_PORT',
      })
    : null;
  await app.listen({ port: config.port, host: config.host }).catch((error) => {
    throw listenProblem(error, config.port, 'PORT');
  });
  const { port } = app.server.address() as AddressInfo;
  log.info({ port }, 'API listens');
  // After listening: a set-up token is of no use while the API cannot be reached.
  if (identity.kind === 'embedded' && !config.isDemo)
    await offerSetup({ db, identity, dataDir: config.dataDir, origin, log, now });
  return {
    port,
    async stop() {
      await close(config.drainMs); // in-flight requests finish first
      metricsServer?.close();
      await Promise.all([gateway.close(), identity.close(), db.close()]);
    },
  };
}
