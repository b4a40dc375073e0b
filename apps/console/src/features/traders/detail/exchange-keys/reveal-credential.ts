import type { CallInput } from '@copydesk/contract';
import { call } from '../../../../lib/api.ts';

type Wanted = CallInput<'POST /api/traders/{id}/exchange/reveal'>['body'];

/** One secret in plain text. Not a query: no cache may keep the answer. */
export async function revealCredential(traderId: string, wanted: Wanted): Promise<string> {
  const { data } = await call('POST /api/traders/{id}/exchange/reveal', {
    params: { id: traderId },
    body: wanted,
  });
  return data.value;
}
