import CircleAlert from 'lucide-react/icons/circle-alert';
import SearchX from 'lucide-react/icons/search-x';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Button } from '../../../ui/form/button.tsx';

interface PoolErrorProps {
  error: unknown;
  onRetry(): void;
  back: ReactNode;
}

export function PoolError({ error, onRetry, back }: PoolErrorProps) {
  const page = { level: 1, alert: true } as const;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <MessagePanel
        {...page}
        icon={SearchX}
        title="Pool Not Found"
        text="The requested pool could not be found, or you have no access to its community."
      >
        {back}
      </MessagePanel>
    );
  }
  return (
    <MessagePanel {...page} icon={CircleAlert} title="The pool could not be loaded" text={messageOf(error)}>
      <Button look="primary" onClick={onRetry}>
        Retry
      </Button>
      {back}
    </MessagePanel>
  );
}
