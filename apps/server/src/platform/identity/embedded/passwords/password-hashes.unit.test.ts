import { hashPassword } from 'better-auth/crypto';
import { expect, test } from 'vitest';
import { passwordHashes } from './password-hashes.ts';

const password = 'correct horse battery';

test('a hash names its parameters, and one of the library is valid but outdated', async () => {
  const [own, earlier] = await Promise.all([passwordHashes.hash(password), hashPassword(password)]);
  expect(own).toMatch(/^scrypt-15-8-3:[\w-]{22}:[\w-]{86}$/);
  for (const [hash, isOutdated] of [
    [own, false],
    [earlier, true],
  ] as const) {
    expect(passwordHashes.isOutdated(hash)).toBe(isOutdated);
    expect(await passwordHashes.verify({ hash, password })).toBe(true);
    expect(await passwordHashes.verify({ hash, password: 'another horse battery' })).toBe(false);
  }
  expect(await passwordHashes.verify({ hash: `${own.slice(0, -4)}`, password })).toBe(false);
});
