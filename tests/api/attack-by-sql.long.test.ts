import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql } from '../../bench/attack/sql.ts';
import { compareWithRemaining } from '../../bench/attack/sql-remaining.ts';
import { applicationUrlOf } from '../support/application-url.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

// `npm run attack -- sql` does the same in both ways in which the login can speak, over a larger world.

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
});
afterAll(() => product.close());

test('whoever has the login of the API can do what is on the list, and nothing else', async () => {
  const { possible, breaches, outdated, attempts } = await runSql({
    ownerUrl: product.ownerUrl,
    applicationUrl: await applicationUrlOf(product.ownerUrl),
    mode: 'as the login, which inherits the role',
  });
  expect(outdated).toEqual([]);
  expect(compareWithRemaining(possible)).toEqual({ unlisted: [], refused: [] });
  expect(breaches).toEqual([]);
  expect(attempts).toBeGreaterThan(4_000);
}, 600_000);
