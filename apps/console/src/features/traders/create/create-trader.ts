import type { CallInput } from '@copydesk/contract';
import { cleanLine } from '@copydesk/domain/text';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';

type Body = CallInput<'POST /api/traders'>['body'];

/** Creates a trader and answers its id. A referral code is sent only where there is one: it needs a recent sign-in. */
export async function createTrader({
  reference_number,
  referral_code = '',
  ...fields
}: Body): Promise<string> {
  const code = cleanLine(referral_code);
  const { data } = await call('POST /api/traders', {
    body: {
      ...fields,
      reference_number: cleanLine(reference_number ?? '') || null,
      ...(code && { referral_code: code }),
    },
  });
  return data.id;
}

/** The providers that traders of a community may choose, as far as the person sees them, by name. */
export const offeredProvidersQuery = (communityId: string) =>
  queryOptions({
    // Below the directory's prefix: a change of a community reads it again.
    queryKey: ['communities', 'offered', communityId],
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /api/communities/{id}/providers', {
        params: { id: communityId },
        signal,
      });
      return data
        .filter(({ is_active, is_provider_active }) => is_active && is_provider_active)
        .map(({ provider_id, display_name }) => ({ id: provider_id, name: display_name }));
    },
  });
