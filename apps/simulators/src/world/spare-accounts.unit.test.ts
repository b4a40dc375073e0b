import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSpareAccounts, credentialsOf } from './index.ts';

test('the README names the credentials of every spare account', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  for (const { name, account } of createSpareAccounts()) {
    const { exchange, ...credentials } = credentialsOf(account);
    const values = Object.values(credentials).map((value) => `  ${value}`);
    expect(readme).toContain([`${exchange} ${name}`, ...values].join('\n'));
  }
});
