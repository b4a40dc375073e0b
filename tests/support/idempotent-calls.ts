import { randomUUID } from 'node:crypto';
import type { CallKey, Entry } from '@copydesk/contract';
import { z } from 'zod';
import type { WriteTx } from '../../apps/server/src/platform/db/database.ts';
import { createGate } from '../../apps/server/src/platform/http/gate.ts';
import { createIdempotency, type Once } from '../../apps/server/src/platform/http/idempotency/idempotency.ts';
import { jsonText } from '../../apps/server/src/platform/http/json-text.ts';
import { mountCalls } from '../../apps/server/src/platform/http/mount-contract.ts';
import { openApi } from '../../apps/server/src/platform/http/openapi.ts';
import { createHttpServer } from '../../apps/server/src/platform/http/server/server.ts';
import { signInAs } from './identity/callers.ts';
import { createWorld } from './identity/world.ts';
import { asOwner } from './owner.ts';

const call = {
  summary: 'x',
  permission: 'super',
  recentAuth: false,
  body: z.strictObject({ name: z.string(), note: z.string().default('none') }),
  answer: z.object({ success: z.literal(true), data: z.object({ id: z.uuid(), name: z.string() }) }),
  status: 201,
  errors: ['not_found'],
  idempotent: true,
} as const;
const calls: Record<CallKey, Entry> = {
  'POST /api/test/payments': call,
  'POST /api/test/payments/{id}': { ...call, params: z.strictObject({ id: z.string() }) },
  'POST /api/test/other': call,
};
const PUBLIC: Record<CallKey, Entry> = { 'POST /api/test/public': { ...call, permission: 'public' } };

interface Input {
  body: { name: string; note: string };
  once: Once<unknown>;
}

/** Calls that each create a row, under a contract of their own. */
export async function createIdempotentCalls() {
  const world = await createWorld();
  const { log, identity, db, now, ownerUrl } = world;
  const app = await createHttpServer({ log, trustedProxies: 0, isSecure: false, endStreams: async () => {} });
  await app.register(openApi);
  /** Runs in a call after its effect and before its answer. */
  let during: (tx: WriteTx) => Promise<unknown> = async () => {};

  const handle = ({ body: { name }, once }: Input) =>
    once(async (tx) => {
      const id = randomUUID();
      await tx.sql
        .insertInto('community')
        .values({ id, name: `${name} ${id}` })
        .execute();
      tx.audit({ action: 'test.paid', target: { kind: 'test', id: name } });
      await during(tx);
      return name.startsWith('text')
        ? jsonText(`{"success":true,"data":{"name":"${name}","id":"${id}"}}`)
        : { success: true, data: { id: name.startsWith('wrong') ? 'none' : id, name } };
    });
  const mount = (mounted: Record<CallKey, Entry>) =>
    mountCalls(app, mounted, Object.fromEntries(Object.keys(mounted).map((key) => [key, handle])) as never, {
      gate: createGate(app, { identity, perMinute: 100_000, isVerified: () => true }),
      idempotency: createIdempotency({ db, now }),
    });
  mount(calls);
  let publicRefusal: unknown;
  try {
    mount(PUBLIC);
  } catch (error) {
    publicRefusal = error;
  }
  await app.ready();
  await asOwner(
    ownerUrl,
    `UPDATE identity.user_access SET super = true, super_since = now() FROM identity."user" u
     WHERE u.id = user_id AND u.email LIKE 'staff@%'`,
  );
  const { authorization } = await signInAs(world, 'super');

  return {
    world,
    /** The error of mounting a public call. */
    publicRefusal,
    /** The OpenAPI document of the calls. */
    document: app.swagger(),
    /** A second caller with the same rights. */
    other: (await signInAs(world, 'staff')).authorization,
    /** Runs `work` while calls also do this. */
    async whileDoing<T>(also: typeof during, work: () => Promise<T>): Promise<T> {
      during = also;
      try {
        return await work();
      } finally {
        during = async () => {};
      }
    },
    async pay(
      key: string | undefined,
      payload: object,
      { url = '/api/test/payments', as = authorization }: { url?: string; as?: string } = {},
    ) {
      const headers = { authorization: as, ...(key === undefined ? {} : { 'idempotency-key': key }) };
      const response = await app.inject({ method: 'POST', url, headers, payload });
      return {
        status: response.statusCode,
        body: response.body,
        error: response.json().error as string | undefined,
        isReplay: response.headers['idempotent-replayed'] === 'true',
      };
    },
    /** The number of its effects, and of its records. */
    async effects(name: string) {
      const [row] = await asOwner<{ made: number; audited: number }>(
        ownerUrl,
        `SELECT (SELECT count(*)::int FROM community WHERE name LIKE $1 || ' %') AS made,
           (SELECT count(*)::int FROM audit_entry WHERE target_id = $1) AS audited`,
        [name],
      );
      return row;
    },
    async close() {
      await app.close();
      await world.close();
    },
  };
}

/** Calls a function of PostgreSQL. */
export async function callSql(tx: WriteTx, name: string, ...args: number[]): Promise<unknown> {
  const row = await tx.sql
    .selectNoFrom((eb) => {
      const values = args.map((arg) => eb.val(arg));
      return eb.fn(name, values).as('answer');
    })
    .executeTakeFirst();
  return row?.answer;
}
