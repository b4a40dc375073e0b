import type { Export } from '@copydesk/contract/exports';
import { expect, onTestFinished } from 'vitest';
import {
  type ExportWorkerDeps,
  startExportWorker,
} from '../../../apps/server/src/features/exports/export-worker.ts';
import { WHOLE_SCOPE } from '../../../apps/server/src/platform/db/database.ts';
import type { ExportedLists } from '../../../apps/server/src/platform/http/exported-list.ts';
import { WORKER_ACTOR } from '../../../apps/server/src/platform/work/worker-actor.ts';
import { EXPORTED_LISTS } from '../../../apps/server/src/wiring/lists/exported-lists.ts';
import { asOwner } from '../owner.ts';
import { send } from '../send.ts';
import type { TestApp } from '../test-app.ts';

type Parts = Parameters<typeof send>[2];

/** A list of generated rows in place of the traders: compressed, some 80 bytes each. */
export function generated(rows: number, failing = ''): ExportedLists {
  return {
    ...EXPORTED_LISTS,
    traders: {
      name: 'traders',
      columns: { n: 'N', text: 'Text' },
      prepare: async () => ({
        count: async () => rows,
        // As the query builder compiles it, which tests do not have.
        statement: () =>
          ({
            sql: `SELECT n, (SELECT string_agg(md5(n || '-' || part), '') FROM generate_series(1, 5) part) AS text
              ${failing} FROM generate_series(1, ${rows}) n`,
            parameters: [],
          }) as never,
      }),
    },
  };
}

/** What tests of exports do, over a world of theirs. */
export function createExportsWorld(product: TestApp, clock: () => Date) {
  const as =
    (who: string, headers: Record<string, string> = {}) =>
    (call: string, parts: Parts = {}) =>
      send(product.app, call, parts, who, headers);
  const begin = async (who: string, body: object = { list: 'traders' }, headers = {}): Promise<string> => {
    const answer = await as(who, headers)('POST /api/exports', { body });
    expect(answer.statusCode, answer.body).toBe(202);
    return answer.json().data.id;
  };
  const listed = async (who: string): Promise<Export[]> =>
    (await as(who)('GET /api/exports')).json<{ data: Export[] }>().data;
  const find = async (who: string, id: string): Promise<Export> => {
    const found = (await listed(who)).find((row) => row.id === id);
    if (!found) throw new Error('no such export');
    return found;
  };
  return {
    as,
    /** Status and code of a refusal. */
    async refusal(answer: ReturnType<ReturnType<typeof as>>) {
      const { statusCode, body } = await answer;
      return [statusCode, JSON.parse(body).error];
    },
    clear: () => product.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => tx.sql.deleteFrom('export').execute()),
    begin,
    listed,
    find,
    /** Runs until the test ends. */
    startWorker({ gate, ...changes }: Partial<ExportWorkerDeps> & { gate?: Gate } = {}) {
      const worker = startExportWorker({
        db: gate?.db ?? product.db,
        stream: { url: product.ownerUrl },
        lists: EXPORTED_LISTS,
        log: product.log,
        now: clock,
        everyMs: 50,
        leaseMs: 20_000,
        keepMs: 20,
        ...changes,
      });
      onTestFinished(() => {
        gate?.open();
        return worker.stop();
      });
      return worker;
    },
    /** Longer than a lease: on a busy machine a turn may fail for a reason that passes, and is taken up again. */
    async ended(who: string, id: string): Promise<Export> {
      await expect.poll(async () => (await find(who, id)).state, { timeout: 60_000 }).toMatch(/ready|failed/);
      return find(who, id);
    },
    download: (who: string, id: string, headers = {}) =>
      as(who, headers)('GET /api/exports/{id}/file', { params: { id } }),
    /** What reads the rows of exports, as the database sees it. */
    readers: () =>
      asOwner<{ waits: string }>(
        product.ownerUrl,
        `SELECT coalesce(wait_event, 'running') AS waits FROM pg_stat_activity
         WHERE application_name = 'copydesk-export' AND datname = current_database()`,
      ),
    /** The export as it is stored; undefined: it is not. */
    stored: (id: string) =>
      product.db.read(WHOLE_SCOPE, async (tx) => {
        const row = await tx.sql
          .selectFrom('export')
          .select(['state', 'attempts'])
          .where('id', '=', id)
          .executeTakeFirst();
        const parts = await tx.sql
          .selectFrom('export_part')
          .select('number')
          .where('export_id', '=', id)
          .execute();
        return row && { ...row, parts: parts.length };
      }),
  };
}
export type ExportsWorld = ReturnType<typeof createExportsWorld>;

interface Gate {
  db: TestApp['db'];
  /** When the first part waits before it. */
  arrived: Promise<void>;
  open(): void;
}

/** A gate in front of the parts of files: from the given one on, none is written until it is opened. */
export function gatedParts(db: TestApp['db'], from: number): Gate {
  let open = () => {};
  let arrive = () => {};
  let parts = 0;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const gated: TestApp['db'] = {
    ...db,
    async write(scope, actor, work) {
      const isPart = work.toString().includes('addPart');
      if (isPart) parts += 1;
      if (isPart && parts > from) {
        arrive();
        await opened;
      }
      return db.write(scope, actor, work);
    },
  };
  return { db: gated, arrived, open: () => open() };
}
