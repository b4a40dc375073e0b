import { expect, test } from 'vitest';
import { findFieldErrors } from './use-form.ts';

test('new passwords have 12 to 128 characters, present ones any', () => {
  expect(findFieldErrors({ newPassword: 'x'.repeat(12) })).toBeNull();
  expect(findFieldErrors({ newPassword: 'x'.repeat(128) })).toBeNull();
  expect(findFieldErrors({ newPassword: 'x'.repeat(11) })).toHaveProperty('newPassword');
  expect(findFieldErrors({ newPassword: 'x'.repeat(129) })).toHaveProperty('newPassword');
  expect(findFieldErrors({ password: 'short' })).toBeNull();
});

test('every field is required, codes are six digits, spaces allowed', () => {
  expect(findFieldErrors({ name: ' ', email: 'ada' })).toEqual({
    name: 'Required',
    email: 'Enter an e-mail address',
  });
  expect(findFieldErrors({ code: '123 456' })).toBeNull();
  expect(findFieldErrors({ code: '12345' })).toHaveProperty('code');
});
