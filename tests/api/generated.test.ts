import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { describeAccess } from '../../apps/server/src/platform/db/installation/describe-access.ts';
import { describeSchema } from '../../apps/server/src/platform/db/installation/describe-schema.ts';
import { describeLicences, unknownLicences } from '../../scripts/lock/licences.ts';
import { compileToken } from '../support/compile-token.ts';
import { describeCalls } from '../support/describe-calls.ts';
import { describeConfiguration } from '../support/describe-configuration.ts';
import { describeMoneyTables } from '../support/describe-money-tables.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

// Generated files in the repository: a review shows every change of them. `npm run generate` writes them again.
const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: null });
});
afterAll(() => product.close());

test('the schema folder describes a migrated database, a file a table', async () => {
  const client = new pg.Client({ connectionString: product.ownerUrl });
  await client.connect();
  const described = await describeSchema(client).finally(() => client.end());
  const folder = root('apps/server/schema');
  const obsolete = readdirSync(folder).filter((name) => !described.has(name));
  if (inject('updatesSnapshots')) for (const name of obsolete) rmSync(join(folder, name));
  else expect(readdirSync(folder).sort()).toEqual([...described.keys()].sort());
  for (const [name, text] of described) await expect(text).toMatchFileSnapshot(join(folder, name));
});

test('access.txt lists the privileges of a migrated database', async () => {
  const client = new pg.Client({ connectionString: product.ownerUrl });
  await client.connect();
  const described = await describeAccess(client).finally(() => client.end());
  await expect(described).toMatchFileSnapshot(root('apps/server/access.txt'));
});

test('docs/money-tables.md lists who may write what money depends on', async () => {
  const client = new pg.Client({ connectionString: product.ownerUrl });
  await client.connect();
  const described = await describeMoneyTables(client).finally(() => client.end());
  await expect(described).toMatchFileSnapshot(root('docs/money-tables.md'));
});

test('docs/access.md lists every call with the people and programs that may make it', async () => {
  await expect(describeCalls()).toMatchFileSnapshot(root('docs/access.md'));
});

test('docs/operations/configuration.md lists every variable with the programs that read it', async () => {
  await expect(describeConfiguration()).toMatchFileSnapshot(root('docs/operations/configuration.md'));
});

test('docs/licences.md lists what is installed, under licences that were looked at', async () => {
  const lock = JSON.parse(readFileSync(root('package-lock.json'), 'utf8'));
  expect(unknownLicences(lock)).toEqual([]);
  await expect(describeLicences(lock)).toMatchFileSnapshot(root('docs/licences.md'));
});

test('the database types are those of the migrated schema', async () => {
  const { stdout } = await promisify(execFile)(
    root('node_modules/.bin/kysely-codegen'),
    [
      '--print',
      '--url',
      product.ownerUrl,
      '--dialect',
      'postgres',
      '--default-schema',
      'public',
      '--include-pattern',
      'public.*',
      '--log-level',
      'error',
    ],
    { maxBuffer: 10_000_000 },
  );
  await expect(stdout).toMatchFileSnapshot(root('apps/server/src/platform/db/schema.ts'));
});

test('the OpenAPI document is that of the contract', async () => {
  const { body } = await product.app.inject('/api/openapi.json');
  await expect(`${JSON.stringify(JSON.parse(body), null, 2)}\n`).toMatchFileSnapshot(
    root('docs/openapi.json'),
  );
});

test('the token of the local chain is its source, compiled', async () => {
  await expect(`${compileToken()}\n`).toMatchFileSnapshot(
    root('apps/simulators/src/chain/demo-usdt.bytecode.txt'),
  );
});
