import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyring } from './keyring.ts';
import { openSecret, rewrapSecret, SealError, sealSecret } from './sealed-secret.ts';

const keyring = createKeyring(
  'a key of the tests, of 32 characters',
  ['an older key, also of 32 characters'],
  'index',
);
const { current } = keyring;
const older = createKeyring('an older key, also of 32 characters', [], 'index').current;
const PLACE = 'exchange_credential|row|api_key|provider|1';

test('a sealed secret opens again, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (value) => {
      expect(openSecret(sealSecret(value, PLACE, current), PLACE, current)).toBe(value);
    }),
  );
});

test('the same secret is never stored as the same bytes, and never in the clear', () => {
  const one = sealSecret('canary-secret', PLACE, current);
  const two = sealSecret('canary-secret', PLACE, current);
  expect(one.ciphertext.equals(two.ciphertext)).toBe(false);
  expect(one.wrappedKey.equals(two.wrappedKey)).toBe(false);
  expect(one.ciphertext.includes('canary')).toBe(false);
});

test('any bit that is flipped, in either part, is refused', () => {
  const sealed = sealSecret('canary-secret', PLACE, current);
  for (const part of ['ciphertext', 'wrappedKey'] as const)
    for (let at = 0; at < sealed[part].length * 8; at++) {
      const changed = Buffer.from(sealed[part]);
      changed.writeUInt8(changed.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
      expect(() => openSecret({ ...sealed, [part]: changed }, PLACE, current)).toThrow(SealError);
    }
});

test('moved to another row, field, provider or version it does not open; nor does a part of it, or with another key', () => {
  const sealed = sealSecret('canary-secret', PLACE, current);
  for (const place of [
    'exchange_credential|other|api_key|provider|1',
    'exchange_credential|row|secret_key|provider|1',
    'exchange_credential|row|api_key|other|1',
    'exchange_credential|row|api_key|provider|2',
  ])
    expect(() => openSecret(sealed, place, current)).toThrow(SealError);
  const other = sealSecret('canary-secret', PLACE, current);
  expect(() => openSecret({ ...sealed, wrappedKey: other.wrappedKey }, PLACE, current)).toThrow(SealError);
  expect(() =>
    openSecret({ ...sealed, ciphertext: sealed.ciphertext.subarray(0, 20) }, PLACE, current),
  ).toThrow(SealError);
  expect(() => openSecret(sealed, PLACE, older)).toThrow(SealError);
});

test('rewrapped, a secret opens under the new key alone, and its own bytes are untouched', () => {
  const sealed = sealSecret('canary-secret', PLACE, older);
  const rewrapped = rewrapSecret(sealed, PLACE, older, current);
  expect(rewrapped.masterKeyId).toBe(current.id);
  expect(rewrapped.ciphertext.equals(sealed.ciphertext)).toBe(true);
  expect(openSecret(rewrapped, PLACE, current)).toBe('canary-secret');
  expect(() => openSecret(rewrapped, PLACE, older)).toThrow(SealError);
});

test('a sealing error reveals nothing of the secret', () => {
  const sealed = sealSecret('canary-secret', PLACE, older);
  try {
    openSecret(sealed, PLACE, current);
    expect.unreachable();
  } catch (error) {
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/canary|api_key|provider/);
  }
});

test('a keyring finds its keys by id; fingerprints depend on the index key alone', () => {
  expect(keyring.find(current.id)).toBe(current);
  expect(keyring.find(older.id)?.key.equals(older.key)).toBe(true);
  expect(keyring.find('0000')).toBeNull();
  const rotated = createKeyring('another key altogether, 32 characters', [], 'index');
  expect(rotated.fingerprint('x').equals(keyring.fingerprint('x'))).toBe(true);
  expect(keyring.fingerprint('x').equals(keyring.fingerprint('y'))).toBe(false);
});
