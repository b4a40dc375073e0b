import { afterEach, expect, test } from 'vitest';
import { connectCredentials, requireToken } from './api.ts';

const credentialsWith = (token: string | null) => ({
  getToken: async () => token,
  onLost: () => {},
  confirmPresence: async () => false,
});

afterEach(() => connectCredentials(null));

test('a hook of providers says what is missing, in the words of the spec', async () => {
  await expect(requireToken()).rejects.toThrow('User not signed in');
  connectCredentials(credentialsWith(null));
  await expect(requireToken()).rejects.toThrow('No authorization token available');
  connectCredentials(credentialsWith('a token'));
  await expect(requireToken()).resolves.toBeUndefined();
});
