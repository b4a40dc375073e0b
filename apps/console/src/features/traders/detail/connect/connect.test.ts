import { expect, test } from 'vitest';
import { ApiError, networkError } from '../../../../lib/api/api-error.ts';
import { connectFailure, connectFields, findMissing } from './connect-form.tsx';

test('the form has the fields that the server names, and passes over one it does not know', () => {
  const labels = connectFields(['apiKey', 'secretKey', 'passphrase', 'retina']).map(({ label }) => label);
  expect(labels).toEqual(['API Key', 'Secret Key', 'Passphrase']);
});

test('an empty field is required', () => {
  const sentence =
    'For Hyperliquid, master_address, agent_address, and agent_private_key are required. For other exchanges, apiKey and secretKey are required.';
  expect(findMissing({ apiKey: ' ', secretKey: 's' })).toEqual({ apiKey: sentence });
  expect(findMissing({ passphrase: '' })).toEqual({ passphrase: 'Required' });
  expect(findMissing({ apiKey: 'k', secretKey: 's' })).toBeNull();
});

test("a failure shows the server's text, or ours when there is none", () => {
  const refused = new ApiError({ code: 'exchange_refused', status: 422, message: 'The key is wrong.' });
  expect(connectFailure(refused)).toBe('Setup failed: The key is wrong.');
  expect(connectFailure(networkError())).toBe('Network error occurred');
  expect(connectFailure(new Error())).toBe('Setup failed');
  const asked = new ApiError({ code: 'key_may_withdraw', status: 409, message: 'This key may withdraw.' });
  expect(connectFailure(asked)).toBe('This key may withdraw.');
});
