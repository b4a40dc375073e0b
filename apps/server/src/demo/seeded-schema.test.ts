import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestApp } from '../../../../tests/support/test-app.ts';
import { describeSchema } from '../platform/db/installation/describe-schema.ts';

const SCHEMA = fileURLToPath(new URL('../../schema', import.meta.url));

test('loading the demo world puts back every key, index, trigger and policy that it lifts', async () => {
  const product = await createTestApp({ scale: 0.05 });
  const client = new pg.Client({ connectionString: product.ownerUrl });
  await client.connect();
  try {
    const files = readdirSync(SCHEMA).map(
      (name) => [name, readFileSync(join(SCHEMA, name), 'utf8')] as const,
    );
    expect(Object.fromEntries(await describeSchema(client))).toEqual(Object.fromEntries(files));
    const { rows } = await client.query(
      "SELECT conname FROM pg_constraint WHERE NOT convalidated UNION ALL SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid UNION ALL SELECT tgname FROM pg_trigger WHERE tgenabled <> 'O'",
    );
    expect(rows).toEqual([]);
  } finally {
    await client.end();
    await product.close();
  }
});
