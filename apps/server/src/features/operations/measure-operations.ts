import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { limitStatements } from '../../platform/db/begin.ts';
import { type Database, type Tx, WHOLE_SCOPE } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { FigureGroup } from './figures/figure-group.ts';
import * as payouts from './figures/payout-figures.views.ts';
import * as verdicts from './figures/verdict-figures.views.ts';
import * as work from './figures/work-figures.views.ts';

const GROUPS: readonly FigureGroup[] = [
  ...Object.values(payouts),
  ...Object.values(work),
  ...Object.values(verdicts),
];

/** One read serves several scrapers, or one that scrapes often. */
const MAX_AGE_MS = 20_000;
/** A database this slow must not be burdened further, and Prometheus waits only ten seconds. */
const TIMEOUT_MS = 5_000;

type Row = Record<string, string | number | null>;

interface Figures {
  isUp: boolean;
  seconds: number;
  rows: ReadonlyMap<FigureGroup, readonly Row[]>;
}

/**
 * Adds the figures of the whole installation, as the database has them. Every API and every worker shows the same ones,
 * so that those of a dead process are not missed: take their maximum, never their sum. While the database does not
 * answer, there are none rather than old ones.
 */
export function measureOperations(
  registry: Registry,
  { db, log, now = () => performance.now() }: { db: Database; log: Logger; now?: () => number },
): void {
  const current = cacheFor(MAX_AGE_MS, now, () => readFigures(db, log, now));
  const gauge = (name: string, help: string, value: (figures: Figures) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(value(await current()));
      },
    });
  gauge('copydesk_figures_up', '1: the figures of the database could be read', ({ isUp }) => (isUp ? 1 : 0));
  gauge('copydesk_figures_seconds', 'Time that reading them took', ({ seconds }) => seconds);

  for (const group of GROUPS)
    for (const [column, { name, help }] of Object.entries(group.metrics))
      new Gauge({
        name,
        help,
        labelNames: group.labels,
        registers: [registry],
        async collect() {
          const { rows } = await current();
          this.reset();
          if (group.labels.length === 0) this.remove(); // a gauge without labels begins at 0
          for (const row of rows.get(group) ?? []) {
            const value = row[column];
            if (value === null || value === undefined) continue;
            this.set(labelsOf(group, row), Number(value));
          }
        },
      });
}

const labelsOf = (group: FigureGroup, row: Row) =>
  Object.fromEntries(group.labels.map((label) => [label, String(row[label])]));

async function readFigures(db: Database, log: Logger, now: () => number): Promise<Figures> {
  const startedAt = now();
  const reading = db.read(WHOLE_SCOPE, readGroups).catch((error) => {
    log.warn({ err: error }, 'the figures for monitoring were not read');
    return null;
  });
  // A worker may wait longer than this for a connection.
  const rows = await Promise.race([reading, sleep(TIMEOUT_MS, null, { ref: false })]);
  return { isUp: rows !== null, seconds: (now() - startedAt) / 1_000, rows: rows ?? new Map() };
}

async function readGroups(tx: Tx): Promise<Map<FigureGroup, Row[]>> {
  await limitStatements(tx, TIMEOUT_MS);
  const found = new Map<FigureGroup, Row[]>();
  for (const group of GROUPS) found.set(group, (await group.statement().execute(tx.sql)).rows);
  return found;
}

/** The last result of `read` while it is fresh. Callers meanwhile wait for the same one. */
function cacheFor<T>(maxAgeMs: number, now: () => number, read: () => Promise<T>): () => Promise<T> {
  let cached: { at: number; result: Promise<T> } | null = null;
  return () => {
    if (cached === null || now() - cached.at > maxAgeMs) cached = { at: now(), result: read() };
    return cached.result;
  };
}
