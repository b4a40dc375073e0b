import { useQuery } from '@tanstack/react-query';
import { awaitingQuery } from '../payouts-queries.ts';
import { Awaiting } from './awaiting.tsx';

/**
 * Distributions of any community that wait for a second super admin's decision, or the head of one community's panel.
 * For super admins.
 */
export function AwaitingNotice({ communityId }: { communityId?: string }) {
  const { data } = useQuery(awaitingQuery(communityId));
  const isBox = communityId === undefined;
  return <Awaiting awaiting={data?.data ?? []} total={data?.meta.total} isNamed={isBox} isBox={isBox} />;
}
