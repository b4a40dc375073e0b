import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { startClerk } from '@copydesk/simulators/clerk';
import { createClerkSync } from '../../../apps/server/src/features/people/hosted/clerk-sync.ts';
import { asOwner } from '../owner.ts';
import { createSyncTurn, RETRY_NOW } from '../take-sync-jobs.ts';
import { createTestApp, type TestAppOptions } from '../test-app.ts';
import { call } from './callers.ts';
import { hostedVariables, SECRET_KEY, WEBHOOK_SECRET } from './hosted-variables.ts';

/** Of pages whose tokens count. */
const ORIGIN = 'http://localhost:3000';

/** The API, listening for webhooks, beside a simulated Clerk. */
export async function createHostedWorld(options: Pick<TestAppOptions, 'scale' | 'env'> = {}) {
  let aheadMs = 0;
  const clerk = await startClerk({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET });
  const { instance } = clerk;
  const product = await createTestApp({
    scale: options.scale ?? 0.02,
    env: { ...hostedVariables(clerk), ...options.env },
  });
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = product.app.server.address() as AddressInfo;
  clerk.webhooks.sendTo(`http://127.0.0.1:${port}/api/webhooks/clerk`);
  const { identity, db, log } = product;
  if (identity.kind !== 'hosted') throw new Error('A hosted service is configured.');
  const deps = {
    db,
    directory: identity.directory,
    log,
    now: () => new Date(Date.now() + aheadMs),
  };
  const takeTurn = createSyncTurn(product, 'clerk-sync', createClerkSync(deps));
  const owner = <R extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    asOwner<R>(product.ownerUrl, text, values);

  /** Everything that a worker would do about events, until none is left. */
  const work = async () => {
    await clerk.webhooks.drained();
    while (await takeTurn());
  };
  const authorize = (sessionId: string) => `Bearer ${clerk.token(sessionId, ORIGIN)}`;
  /** Signs a new user in, who has called the API once. */
  const person = async (metadata: Record<string, unknown>, given: { email?: string; code?: string } = {}) => {
    const user = instance.addUser({
      email: `${randomBytes(5).toString('hex')}@people.example`,
      metadata,
      ...given,
    });
    const session = instance.openSession(user.id, { secondFactor: given.code !== undefined });
    const authorization = authorize(session.id);
    const me = await call(product, ['GET', '/api/me'], { authorization });
    return { user, session, authorization, me };
  };
  return {
    product,
    clerk,
    instance,
    deps,
    owner,
    work,
    takeTurn,
    authorize,
    person,
    as: (authorization: string, of: ['GET' | 'POST' | 'PATCH' | 'DELETE', string], body?: object) =>
      call(product, of, { authorization, ...(body ? { body } : {}) }),
    /** Moves the clock of the worker; every attempt that waits is due. */
    async advance(ms: number) {
      aheadMs += ms;
      await owner(RETRY_NOW);
    },
    async close() {
      await clerk.close();
      await product.close();
    },
  };
}

export type HostedWorld = Awaited<ReturnType<typeof createHostedWorld>>;
