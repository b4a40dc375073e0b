import type { ReactNode } from 'react';
import { RecordProblem } from '../../../ui/feedback/record-problem.tsx';

interface CommunityErrorProps {
  error: unknown;
  onRetry(): void;
  back: ReactNode;
}

export function CommunityError({ error, onRetry, back }: CommunityErrorProps) {
  return (
    <RecordProblem
      error={error}
      missing={{
        title: 'Community Not Found',
        text: 'The requested community could not be found. It may have been deleted.',
      }}
      failed="The community could not be loaded"
      onRetry={onRetry}
    >
      {back}
    </RecordProblem>
  );
}
