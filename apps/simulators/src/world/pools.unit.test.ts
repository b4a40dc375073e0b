import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { demoPoolAccount } from './index.ts';

/** The demo world has four pools; the account after them is free. */
const SPARE = 5;

test('the README has the key of the spare pool account', () => {
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
  const { apiKey, secretKey } = demoPoolAccount(SPARE).credentials;
  expect(readme).toContain(`\`${apiKey}\``);
  expect(readme).toContain(`\`${secretKey}\``);
});
