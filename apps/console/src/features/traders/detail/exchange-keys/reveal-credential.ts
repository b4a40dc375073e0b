import type { CallInput } from '@copydesk/contract';
import { call } from '../../../../lib/api.ts';
import type { Presence } from '../../../../lib/call.ts';

type Wanted = CallInput<'POST /api/traders/{id}/exchange/reveal'>['body'];

/**
 * One secret in plain text. Not a query: no cache may keep the answer.
 * @param presence whether the call may ask the person to authenticate again: not on hover or focus
 */
export async function revealCredential(
  traderId: string,
  wanted: Wanted,
  presence: Presence,
): Promise<string> {
  const { data } = await call('POST /api/traders/{id}/exchange/reveal', {
    params: { id: traderId },
    body: wanted,
    presence,
  });
  return data.value;
}
