import { expect, test } from 'vitest';
import { ApiError, messageOf } from '../../../../lib/api/api-error.ts';
import { canUsePasskeys, passkeyFailure } from './passkey-failure.ts';

test("a browser's refusal has a calm text", () => {
  const cancelled = passkeyFailure(new DOMException('The operation either timed out', 'NotAllowedError'));
  expect(messageOf(cancelled)).toBe('Cancelled, or it took too long. Try again when you are ready.');
  const known = passkeyFailure(Object.assign(new Error('x'), { name: 'InvalidStateError' }));
  expect(messageOf(known)).toBe('This device already has a passkey for your account.');
});

test("the server's refusals and other errors keep their text", () => {
  const refused = new ApiError({ code: 'PASSKEY_KNOWN', status: 409, message: 'Known' });
  expect(passkeyFailure(refused)).toBe(refused);
  const gone = passkeyFailure(
    new ApiError({ code: 'PASSKEY_NOT_FOUND', status: 401, message: 'Passkey not found' }),
  );
  expect(messageOf(gone)).toMatch(/^This passkey belongs to no account here\./);
  const other = new TypeError('broken');
  expect(passkeyFailure(other)).toBe(other);
});

test('passkeys are offered at names, in browsers that know them', () => {
  const at = (hostname: string) => canUsePasskeys({ hostname } as Location);
  const window = { PublicKeyCredential: class {} as unknown, location: { hostname: 'localhost' } };
  Object.assign(globalThis, { window });
  expect([at('localhost'), at('desk.example')]).toEqual([true, true]);
  expect([at('127.0.0.1'), at('[::1]'), at('10.0.0.7')]).toEqual([false, false, false]);
  window.PublicKeyCredential = undefined;
  expect(at('localhost')).toBe(false);
  Reflect.deleteProperty(globalThis, 'window');
});
