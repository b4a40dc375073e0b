import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readModule } from './read-module.ts';
import { resolveImport } from './resolve-import.ts';
import { findOffence } from './rules.ts';
import { findSmallFiles } from './small-files.ts';
import { findForeignWrites, findUnowned, ownersOf } from './table-owners.ts';
import { findUnlistedReads } from './table-readers.ts';

const SOURCES = ['packages/*/src/**', 'apps/*/src/**', 'scripts/**', 'tests/**', 'bench/**'].map(
  (glob) => `${glob}/*.{ts,tsx}`,
);
/** The configuration readers; `start` also passes its whole environment on to its children. */
const MAY_READ_ENVIRONMENT = [
  'apps/server/src/config.ts',
  'apps/server/src/bin/start.ts',
  'apps/simulators/src/bin/simulators.ts',
];

/** Rules decide with the time that they are given; features and core get the clock of the composition root. */
const WITHOUT_CLOCK = /^(packages\/domain|apps\/server\/src\/(features|core))\/(?!.*\.test\.ts$)/;
const OWN_CLOCK = /\bnew Date\(\)|\bDate\.now\b/;

/** What decides, and who signs in with which rights: never by the state of a replica, which may be behind. */
const NEEDS_LEADER =
  /\.(store|service|job)\.ts$|^apps\/server\/src\/platform\/(identity|audit)\/(?!.*\.test\.ts$)/;
const MAY_BE_BEHIND = /\bAnyTx\b|\breadAny\b/;

/**
 * A folder with more files than this is no longer read as one subject: divide it by what its files are about.
 */
const MOST_FILES = 25;

/** Reads every module of the project. @returns its violations of the rules for imports and tables, a line each */
export function checkBoundaries(projectDir: string): { offences: string[]; files: number; imports: number } {
  const offences: string[] = [];
  const graph = new Map<string, string[]>();
  let imports = 0;
  for (const from of globSync(SOURCES, { cwd: projectDir }).sort()) {
    const facts = readModule(join(projectDir, from));
    if (facts.readsEnvironment && /^(apps|packages)\//.test(from) && !MAY_READ_ENVIRONMENT.includes(from)) {
      offences.push(`${from} reads process.env: only the configuration does`);
    }
    const source = readFileSync(join(projectDir, from), 'utf8');
    if (WITHOUT_CLOCK.test(from) && OWN_CLOCK.test(source))
      offences.push(`${from} reads a clock of its own: it takes \`now\` as an argument`);
    if (NEEDS_LEADER.test(from) && MAY_BE_BEHIND.test(source))
      offences.push(`${from} may read on a replica: what decides takes Tx, of the leader`);
    for (const table of findForeignWrites(from, source))
      offences.push(`${from} writes ${table}: another folder owns that table`);
    for (const table of findUnlistedReads(from, source, ownersOf))
      offences.push(`${from} reads ${table}: another feature owns that table`);
    for (const table of findSignInTables(from, source))
      offences.push(`${from} names ${table}: only platform/identity knows how people sign in`);
    const targets: string[] = [];
    for (const { specifier, isTypeOnly } of facts.imports) {
      imports += 1;
      const to = resolveImport(specifier, from, projectDir);
      if (to === null) {
        offences.push(`${from} imports ${specifier}: there is no such file`);
        continue;
      }
      targets.push(to);
      const offence = findOffence({ from, to, isTypeOnly });
      if (offence) offences.push(`${from} imports ${isTypeOnly ? 'types of ' : ''}${to}: ${offence}`);
    }
    graph.set(from, targets);
  }
  for (const table of findUnowned(globSync('*.sql', { cwd: join(projectDir, 'apps/server/schema') })))
    offences.push(`scripts/boundaries/table-owners.ts does not say who writes ${table}`);
  for (const cycle of findCycles(graph)) offences.push(`import cycle: ${cycle.join(' -> ')}`);
  offences.push(...findLargeFolders([...graph.keys()]));
  const sources = [...graph.keys()].filter(
    (file) => !/^(tests|bench)\/|\.(test|spec|chaos)\.tsx?$/.test(file),
  );
  for (const { file, host, isRefused } of findSmallFiles(projectDir, sources))
    if (isRefused) offences.push(`${file} is small and only ${host} imports it: it belongs in there`);
  return { offences, files: graph.size, imports };
}

/** Every cycle in a graph that a depth-first walk closes, each as the path that returns to its start. */
function findCycles(graph: Map<string, string[]>): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const trail: string[] = [];
  const visit = (node: string) => {
    if (finished.has(node)) return;
    const start = trail.indexOf(node);
    if (start >= 0) {
      cycles.push([...trail.slice(start), node]);
      return;
    }
    trail.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    trail.pop();
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}

/** The folders of source with too many files, tests included. */
function findLargeFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = dirname(file);
    if (/^(packages|apps)\//.test(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(
      ([folder, count]) =>
        `${folder} has ${count} files: at most ${MOST_FILES}, then it is divided by subject`,
    );
}

const SERVER = 'apps/server/src/';
const IDENTITY = `${SERVER}platform/identity/`;

/** Tables that belong to one way of signing in: with another identity service they are empty. */
const SIGN_IN_TABLES = [
  'user',
  'session',
  'account',
  'verification',
  'jwks',
  'two_factor',
  'passkey',
  'rate_limit',
  'used_totp_code',
  'sign_in_failure',
  'hosted_user',
  'hosted_session',
  'hosted_organization',
];
const NAMED = new RegExp(`\\bidentity\\."?(${SIGN_IN_TABLES.join('|')})\\b`, 'g');

/** The tables of signing in that a file names outside of platform/identity. Features read `identity.person`. */
function findSignInTables(path: string, source: string): string[] {
  if (!path.startsWith(SERVER) || path.startsWith(IDENTITY) || /\.test\.ts$/.test(path)) return [];
  return [...new Set([...source.matchAll(NAMED)].map(([, table]) => `identity.${table}`))];
}
