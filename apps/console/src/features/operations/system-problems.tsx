import { queryOptions, useQuery } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { call } from '../../lib/api/api.ts';
import { Notice } from '../../ui/feedback/notice.tsx';

/** For super admins, above every screen: no worker runs, or the audit was tampered with. */
export function SystemProblems() {
  const { data } = useQuery(readinessQuery);
  return data?.problems.map((problem) => (
    <Notice key={problem} tone="negative" icon={TriangleAlert} title={problem} />
  ));
}

const ASK_EVERY_MS = 30_000;

/** The problems that need an operator, as displayed. The server gives them to super admins only. */
const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal }) => (await call('GET /api/ready', { signal })).data ?? null,
  refetchInterval: ASK_EVERY_MS,
});
