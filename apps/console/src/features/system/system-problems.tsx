import { useQuery } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Notice } from '../../ui/feedback/notice.tsx';
import { readinessQuery } from './readiness-query.ts';

/** For super admins, above every screen: no worker runs, or the audit was tampered with. */
export function SystemProblems() {
  const { data } = useQuery(readinessQuery);
  return data?.problems.map((problem) => (
    <Notice key={problem} tone="negative" icon={TriangleAlert} title={problem} />
  ));
}
