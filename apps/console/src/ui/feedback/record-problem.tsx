import CircleAlert from 'lucide-react/icons/circle-alert';
import SearchX from 'lucide-react/icons/search-x';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../../lib/api/api-error.ts';
import { Button } from '../form/button.tsx';
import { MessagePanel } from './message-panel.tsx';

interface RecordProblemProps {
  error: unknown;
  missing: { title: string; text: string };
  failed: string;
  onRetry(): void;
  /** The way back. */
  children: ReactNode;
}

/** In place of a screen about one record: it is missing, or could not be loaded. */
export function RecordProblem({ error, missing, failed, onRetry, children }: RecordProblemProps) {
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <MessagePanel
      icon={isMissing ? SearchX : CircleAlert}
      level={1}
      alert
      title={isMissing ? missing.title : failed}
      text={isMissing ? missing.text : messageOf(error)}
    >
      {!isMissing && (
        <Button look="primary" onClick={onRetry}>
          Retry
        </Button>
      )}
      {children}
    </MessagePanel>
  );
}
