import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchDatabase } from '../support/databases.ts';
import { startApi } from '../support/product.ts';
import { startSimulators } from '../support/simulators.ts';
import { createCallers } from './callers.ts';
import { type FuzzResult, runFuzz } from './fuzz.ts';
import { readKnownIds } from './fuzz-world.ts';

const UNLIMITED_API = fileURLToPath(new URL('./unlimited-api.ts', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const TRADERS = 60;
const MOST_MS = 45 * 60_000;
/** The most findings that are printed whole. */
const SHOWN = 60;

export interface FuzzPartOptions {
  requests: number;
  seed: number;
}

/** The whole API under fuzzed requests, on loopback. @returns whether every answer was one that may be */
export async function attackByFuzz(
  ownerUrl: string,
  dataDir: string,
  { requests, seed }: FuzzPartOptions,
): Promise<boolean> {
  const databaseUrl = await benchDatabase(ownerUrl, TRADERS, { hasCredentials: true });
  const simulators = await startSimulators(databaseUrl);
  const logFile = join(dataDir, 'attack-api.log');
  const api = await startApi(databaseUrl, dataDir, simulators.env, { program: UNLIMITED_API, logFile });
  try {
    const port = Number(new URL(api.url).port);
    console.log(`fuzz: ${requests} requests, seed ${seed}, log ${logFile}`);
    const startedAt = performance.now();
    const result = await runFuzz({
      port,
      document: JSON.parse(readFileSync(DOCUMENT, 'utf8')),
      callers: await createCallers(api.url),
      readIds: () => readKnownIds(databaseUrl),
      requests,
      seed,
      mostMs: MOST_MS,
      onProgress: (sent) => console.log(`  ${sent} sent`),
    });
    print(result, (performance.now() - startedAt) / 1_000);
    return result.findings.length === 0 && result.sent === requests;
  } finally {
    await api.stop();
    simulators.stop();
  }
}

function print(
  { sent, byStatus, declared, operations, accepted, findings }: FuzzResult,
  seconds: number,
): void {
  for (const finding of findings.slice(0, SHOWN)) console.log(`\n${JSON.stringify(finding, null, 2)}`);
  if (findings.length > SHOWN) console.log(`\nand ${findings.length - SHOWN} more`);
  const listed = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name}: ${count}`)
      .join('  ');
  console.log(
    `\n${sent} requests over ${operations} operations in ${Math.round(seconds)} s, ${accepted} accepted some`,
  );
  console.log(listed(byStatus));
  console.log(`declared failures: ${listed(declared)}`);
  console.log(`${findings.length} answers that must not be`);
}
