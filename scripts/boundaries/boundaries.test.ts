import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkBoundaries } from './check-boundaries.ts';

/** A project with the given files and source texts. */
function check(files: Record<string, string>): string[] {
  const projectDir = mkdtempSync(join(tmpdir(), 'boundaries-'));
  onTestFinished(() => rmSync(projectDir, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(projectDir, path)), { recursive: true });
    writeFileSync(join(projectDir, path), text);
  }
  return checkBoundaries(projectDir).offences;
}

const domain = { 'packages/domain/src/index.ts': '' };
const contract = { 'packages/contract/src/index.ts': '' };

const forbidden: [string, Record<string, string>, RegExp][] = [
  [
    'a feature writes the table of another one',
    { 'apps/server/src/features/invoices/a.store.ts': 'sql`UPDATE payout o SET status = 1`' },
    /writes payout: another folder owns/,
  ],
  [
    'a feature inserts into a table of the ledger',
    { 'apps/server/src/features/payouts/a.store.ts': 'sql`INSERT INTO journal (id) VALUES (1)`' },
    /writes journal: another folder owns/,
  ],
  [
    'a feature deletes sessions',
    { 'apps/server/src/features/traders/a.store.ts': 'sql`DELETE FROM identity.service_token`' },
    /writes identity\.service_token: another folder owns/,
  ],
  [
    'a feature has a clock of its own',
    { 'apps/server/src/features/invoices/a.service.ts': 'save({ at: new Date() })' },
    /reads a clock of its own/,
  ],
  [
    'a store takes a transaction of a replica',
    { 'apps/server/src/features/payouts/a.store.ts': 'export function take(tx: AnyTx) {}' },
    /may read on a replica/,
  ],
  [
    'rights are read on a replica',
    { 'apps/server/src/platform/identity/a.ts': 'db.readAny(scope, readFlags)' },
    /may read on a replica/,
  ],
  [
    'a feature reads accounts',
    { 'apps/server/src/features/people/a.views.ts': 'sql`SELECT email FROM identity."user" u`' },
    /names identity\.user: only platform\/identity/,
  ],
  [
    'a feature reads links to the hosted service',
    { 'apps/server/src/features/people/a.views.ts': 'sql`SELECT 1 FROM identity.hosted_user`' },
    /names identity\.hosted_user: only platform\/identity/,
  ],
  [
    'a feature uses the package of the hosted service',
    { 'apps/server/src/features/people/a.ts': `import { createClerkClient } from '@clerk/backend'` },
    /only the folders of the hosted identity service know its vendor/,
  ],
  [
    'the console uses its package outside of the folder',
    { 'apps/console/src/app/a.tsx': `import { useUser } from '@clerk/react/experimental'` },
    /only the folders of the hosted identity service know its vendor/,
  ],
  [
    'a feature reads the table of another one',
    {
      'apps/server/src/features/settings/saved-views/a.views.ts':
        'sql`SELECT 1 FROM provider_set p JOIN payout o ON true`',
    },
    /reads payout: another feature owns/,
  ],
  [
    'a table has no owner',
    { 'apps/server/schema/newcomer.sql': 'CREATE TABLE newcomer (id uuid);' },
    /does not say who writes newcomer/,
  ],
  ['domain uses zod', { 'packages/domain/src/a.ts': `import { z } from 'zod'` }, /domain is pure/],
  ['domain uses I/O', { 'packages/domain/src/a.ts': `import 'node:fs'` }, /domain is pure/],
  [
    'domain names a type of the contract',
    { ...contract, 'packages/domain/src/a.ts': `import type { A } from '@copydesk/contract'` },
    /domain is pure/,
  ],
  ['contract uses node', { 'packages/contract/src/a.ts': `import 'node:fs'` }, /contract knows/],
  [
    'platform names a type of a feature',
    {
      'apps/server/src/platform/a.ts': `type A = import('../features/f/f.store.ts').A`,
      'apps/server/src/features/f/f.store.ts': '',
    },
    /platform knows no feature/,
  ],
  [
    'a feature loads the store of another one',
    {
      'apps/server/src/features/f/f.service.ts': `const a = await import('../g/g.store.ts')`,
      'apps/server/src/features/g/g.store.ts': '',
    },
    /a feature knows/,
  ],
  [
    'a feature calls an integration',
    {
      'apps/server/src/features/f/f.service.ts': `import { a } from '../../integrations/chain/chain.ts'`,
      'apps/server/src/integrations/chain/chain.ts': '',
    },
    /a feature knows/,
  ],
  [
    'the server imports the console',
    { 'apps/server/src/app.ts': `export * from '../../console/src/a.ts'`, 'apps/console/src/a.ts': '' },
    /server does not know the console/,
  ],
  [
    'the server reads the simulated world outside of its demo',
    {
      'apps/server/src/app.ts': `import '@copydesk/simulators/world'`,
      'apps/simulators/src/world/index.ts': '',
    },
    /the server does not know/,
  ],
  [
    'the demo world starts a simulated venue',
    {
      'apps/server/src/demo/seed.ts': `import '@copydesk/simulators/venues'`,
      'apps/simulators/src/venues/index.ts': '',
    },
    /demo world of the server/,
  ],
  [
    'a simulator names a type of the contract',
    { ...contract, 'apps/simulators/src/venues/a.ts': `import type { A } from '@copydesk/contract'` },
    /a simulator knows/,
  ],
  [
    'a simulator imports the server',
    { 'apps/simulators/src/venues/a.ts': `import '../../../server/src/a.ts'`, 'apps/server/src/a.ts': '' },
    /a simulator knows/,
  ],
  [
    'the console imports the server',
    { 'apps/console/src/app/a.tsx': `import '../../../server/src/a.ts'`, 'apps/server/src/a.ts': '' },
    /the console knows/,
  ],
  [
    'the console ships the contract',
    { ...contract, 'apps/console/src/lib/a.ts': `import { contract } from '@copydesk/contract'` },
    /lib knows/,
  ],
  [
    'ui names a type of the contract',
    {
      ...contract,
      'apps/console/src/ui/a.tsx': `import type { A } from '@copydesk/contract'; const a = <div />`,
    },
    /ui knows no API/,
  ],
  [
    'a console feature imports another one',
    { 'apps/console/src/features/f/a.ts': `import '@/features/g/b'`, 'apps/console/src/features/g/b.ts': '' },
    /a console feature knows/,
  ],
  [
    'a test runs an entry point',
    { 'tests/a.test.ts': `import '../apps/server/src/bin/api.ts'`, 'apps/server/src/bin/api.ts': '' },
    /entry point/,
  ],
  [
    'what ships imports a test',
    { 'apps/server/src/a.ts': `import './a.test.ts'`, 'apps/server/src/a.test.ts': '' },
    /no test/,
  ],
  [
    'a cycle through a type',
    {
      'packages/domain/src/a.ts': `import './b/b.ts'`,
      'packages/domain/src/b/b.ts': `import type { A } from '../a.ts'`,
    },
    /import cycle: packages\/domain\/src\/a.ts -> packages\/domain\/src\/b\/b.ts -> /,
  ],
  ['a file that is not there', { 'packages/domain/src/a.ts': `import './b.ts'` }, /no such file/],
  [
    'a small file whose one importer stands beside it',
    { 'apps/console/src/ui/table.tsx': `import { a } from './words.ts'`, 'apps/console/src/ui/words.ts': '' },
    /words\.ts is small and only apps\/console\/src\/ui\/table\.tsx imports it/,
  ],
  [
    'the environment is read',
    { 'apps/server/src/platform/a.ts': 'const a = process.env.HOME' },
    /process\.env/,
  ],
];

describe('the import rules refuse', () => {
  test.each(forbidden)('%s', (_name, files, message) => {
    expect(check(files)).toEqual([expect.stringMatching(message)]);
  });
});

test('the import rules accept everything that the design allows', () => {
  const files = {
    ...domain,
    ...contract,
    'packages/domain/src/money.ts': `import { Decimal } from 'decimal.js'`,
    'packages/domain/src/money.test.ts': `import { test } from 'vitest'; import './money.ts'`,
    'apps/server/src/config.ts': `export const port = process.env.PORT;${'\n'.repeat(40)}`,
    'apps/server/src/app.ts': `import './features/f/f.service.ts'; import './config.ts'`,
    'apps/server/src/integrations/chain/chain.ts': `import 'viem'; import '../../platform/a.ts'`,
    'apps/server/src/platform/a.ts': `import '@copydesk/contract'`,
    'apps/server/src/features/f/f.service.ts': `import '../g/g.views.ts'; import type { C } from '../../integrations/chain/chain.ts'; import '../../platform/a.ts'`,
    'apps/server/src/features/g/g.views.ts': `import './g.rows.ts'`,
    'apps/server/src/features/g/g.rows.unit.test.ts': `import './g.rows.ts'`,
    'apps/server/src/features/g/g.rows.ts': `import '@copydesk/domain'; import { E } from '../../integrations/chain/gateway.ts'`,
    'apps/server/src/integrations/chain/gateway.ts': '',
    'apps/console/src/ui/chart.tsx': `const a = () => import('./lines.ts'); export * from './bars.ts'; import './long.ts'`,
    'apps/console/src/ui/lines.ts': '',
    'apps/console/src/ui/bars.ts': '',
    'apps/console/src/ui/long.ts': '\n'.repeat(40),
    'apps/server/src/features/payouts/a.views.ts': 'sql`SELECT FROM transfer i JOIN payout o ON true`',
    'apps/server/src/demo/seed.ts': `import '@copydesk/simulators/world'; import '../app.ts'`,
    'apps/simulators/src/world/index.ts': `import '@copydesk/domain'`,
    'apps/simulators/src/venues/index.ts': `import '../world/index.ts'; import 'ox'`,
    'apps/console/src/routes/a.tsx': `import '@/features/f/f'; import '@/ui/table'; import './a.css'`,
    'apps/console/src/routes/a.css': '',
    'apps/console/src/features/f/f.ts': `import type { T } from '@copydesk/contract'; import '../../ui/table'`,
    'apps/console/src/ui/table.tsx': `import 'react'`,
  };
  expect(check(files)).toEqual([]);
});

test('a folder of source has at most 25 files, tests included, whatever folders of tests have', () => {
  const filesOf = (folder: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/n${n}.test.ts`, '']));
  const folder = 'apps/server/src/features/f';
  expect(check({ ...filesOf(folder, 25), ...filesOf('tests/api', 26) })).toEqual([]);
  expect(check(filesOf(folder, 26))).toEqual([
    `${folder} has 26 files: at most 25, then it is divided by subject`,
  ]);
});
