import { useQuery } from '@tanstack/react-query';
import { awaitingQuery } from '../payouts-queries.ts';
import { Awaiting } from './awaiting.tsx';

/** Distributions of any community that wait for a second super admin's decision. For super admins. */
export function AwaitingNotice() {
  const { data } = useQuery(awaitingQuery);
  return <Awaiting awaiting={data?.data ?? []} total={data?.meta.total} isNamed isBox />;
}
