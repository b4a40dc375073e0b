import { pino } from 'pino';
import { createIdentityRoutes } from '../../../apps/server/src/features/people/identity.routes.ts';
import {
  createVerification,
  ensureDemoPersonas,
} from '../../../apps/server/src/features/people/set-up/demo-personas.ts';
import { createAccountAudit } from '../../../apps/server/src/features/people/users/account-audit.ts';
import { APPLICATION_ROLE, createPool } from '../../../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts';
import { createTotalsCache } from '../../../apps/server/src/platform/db/lists/totals-cache.ts';
import { createGate } from '../../../apps/server/src/platform/http/gate.ts';
import type { Handlers } from '../../../apps/server/src/platform/http/handlers.ts';
import { createIdempotency } from '../../../apps/server/src/platform/http/idempotency/idempotency.ts';
import { mountContract } from '../../../apps/server/src/platform/http/mount-contract.ts';
import { createHttpServer } from '../../../apps/server/src/platform/http/server/server.ts';
import type { IdentityOptions } from '../../../apps/server/src/platform/identity/create-identity.ts';
import { identityRequests } from '../../../apps/server/src/platform/identity/fastify-bridge.ts';
import { createMailer, takeMailTurn } from '../../../apps/server/src/platform/work/mail/mailer.ts';
import type { Mail, SendMail } from '../../../apps/server/src/platform/work/mail/smtp.ts';
import { createTestDatabase } from '../database.ts';
import { asOwner } from '../owner.ts';
import { KEYRING } from '../test-keys.ts';
import { createEmbedded } from './services.ts';

export const ORIGIN = 'http://localhost:3000';
export const PROVIDERS = ['Alpha', 'Bravo', 'Charlie', 'Delta'].map((name, index) => ({
  name,
  id: `00000000-0000-4000-8000-00000000000${index + 1}`,
}));

export interface WorldOptions {
  isDemo?: boolean;
  hasMail?: boolean;
  /** Hands mails over; by default to `mails`. */
  sendMail?: SendMail;
  personas?: boolean;
  identity?: Partial<IdentityOptions>;
}

/** The identity part of the API over a database of its own, with a clock that tests move by hand. */
export async function createWorld({
  isDemo = true,
  hasMail = false,
  personas = true,
  ...rest
}: WorldOptions = {}) {
  const database = await createTestDatabase();
  const clock = { offsetMs: 0 };
  const now = () => new Date(Date.now() + clock.offsetMs);
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(line) });
  const mails: Mail[] = [];
  const waits: number[] = [];

  const pool = createPool({ url: database.ownerUrl, role: APPLICATION_ROLE, applicationName: 'test' });
  const db = createDatabase({ pool, auditKey: Buffer.alloc(32, 7), now });
  const sendMail = rest.sendMail ?? (async (mail: Mail) => void mails.push(mail));
  const mailer = createMailer({ db, keyring: KEYRING, send: hasMail ? sendMail : null, log, now });
  const identity = await createEmbedded({
    databaseUrl: database.ownerUrl,
    mailer,
    log,
    now,
    wait: async (ms) => void waits.push(ms),
    onAccountChange: createAccountAudit({ db, log, mailer }),
    ...rest.identity,
  });
  for (const { id, name } of PROVIDERS)
    await db.write({ kind: 'all' }, { kind: 'system', id: 'test', name: 'Test' }, async (tx) => {
      await tx.sql.insertInto('provider').values({ id, name, display_name: name }).execute();
    });
  if (isDemo)
    await asOwner(database.ownerUrl, 'INSERT INTO demo_world (seeded_at, traders) VALUES (now(), 0)');
  if (personas) await ensureDemoPersonas({ db, identity, now });

  const app = await createHttpServer({ log, trustedProxies: 0, isSecure: false, endStreams: async () => {} });
  const totals = createTotalsCache({ now: () => performance.now(), maxAgeMs: 30_000 });
  const routes = createIdentityRoutes({
    totals,
    db,
    identity,
    mailer,
    origin: ORIGIN,
    isDemo,
    log,
    now,
  });
  // The routes of other features are not under test here and answer 500.
  mountContract(app, routes as unknown as Handlers, {
    gate: createGate(app, { identity, perMinute: 100_000, isVerified: createVerification({ isDemo }) }),
    idempotency: createIdempotency({ db, now }),
    onWritten: totals.touchHere,
  });
  await app.register(identityRequests, { identity });
  await app.ready();

  return {
    app,
    db,
    pool,
    identity,
    clock,
    now,
    log,
    logged,
    mails,
    /** A worker's turns, until no mail is due. */
    async sendWaiting() {
      while (await takeMailTurn({ db, keyring: KEYRING, send: sendMail, log, now }));
    },
    /** The delays of throttled attempts, in ms; no time passes. */
    waits,
    ownerUrl: database.ownerUrl,
    async close() {
      await app.close();
      await identity.close();
      await pool.end();
      await database.drop();
    },
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;
