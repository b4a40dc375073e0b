import type { CallInput } from '@copydesk/contract';
import { call } from '../../../../lib/api/api.ts';
import { ApiError } from '../../../../lib/api/api-error.ts';
import type { RecentAuth } from '../../../../lib/api/call.ts';

type Wanted = CallInput<'POST /api/traders/{id}/exchange/reveal'>['body'];

export interface Revealed {
  value: string;
  /** Accounts that the person may reveal before a reason is needed. */
  left: number;
}

/**
 * One secret in plain text. Not a query: no cache may keep the answer.
 * @param recentAuth whether the call may ask the person to authenticate again, or for a reason: not on hover or focus
 * @param askReason asks for the reason that the next ten accounts need; null: none was given
 */
export async function revealCredential(
  traderId: string,
  wanted: Wanted,
  { recentAuth, askReason }: { recentAuth: RecentAuth; askReason(): Promise<string | null> },
): Promise<Revealed> {
  const send = async (reason?: string): Promise<Revealed> => {
    const { data } = await call('POST /api/traders/{id}/exchange/reveal', {
      params: { id: traderId },
      body: reason === undefined ? wanted : { ...wanted, reason },
      recentAuth,
    });
    return { value: data.value, left: data.reveals_left };
  };
  try {
    return await send();
  } catch (error) {
    if (recentAuth !== 'ask' || !isReasonWanted(error)) throw error;
    const reason = await askReason();
    if (reason === null) throw noReasonGiven();
    return send(reason);
  }
}

/** Whether the person has revealed so many accounts that the next one needs a reason. */
export function isReasonWanted(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'reveal_reason_required';
}

/** The person gave no reason. */
function noReasonGiven(): ApiError {
  return new ApiError({
    code: 'not_confirmed',
    status: 403,
    message: 'Nothing was revealed, because you gave no reason.',
  });
}
