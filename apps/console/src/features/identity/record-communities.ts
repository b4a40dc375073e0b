import { call } from '../../lib/api/api.ts';

/**
 * Reads the person's communities as part of the access check (console spec, section 7). Nothing depends on the answer,
 * since every list is scoped by the server, so a failure is only logged.
 */
export async function recordCommunities(userId: string): Promise<void> {
  try {
    await call('GET /api/users/{id}/communities', { params: { id: userId } });
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: this failure is only logged, and a browser has no other log
    console.warn('The communities of this account could not be read.', error);
  }
}
