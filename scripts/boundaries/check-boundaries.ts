import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCycles } from './find-cycles.ts';
import { readModule } from './read-module.ts';
import { resolveImport } from './resolve-import.ts';
import { findOffence } from './rules.ts';
import { findSignInTables } from './sign-in-tables.ts';
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
  return { offences, files: graph.size, imports };
}
