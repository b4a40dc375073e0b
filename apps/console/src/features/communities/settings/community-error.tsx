import CircleAlert from 'lucide-react/icons/circle-alert';
import SearchX from 'lucide-react/icons/search-x';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../../../lib/api-error.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Button } from '../../../ui/forms/button.tsx';

interface CommunityErrorProps {
  error: unknown;
  onRetry(): void;
  back: ReactNode;
}

export function CommunityError({ error, onRetry, back }: CommunityErrorProps) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <MessagePanel
        icon={SearchX}
        level={1}
        alert
        title="Community Not Found"
        text="The requested community could not be found. It may have been deleted."
      >
        {back}
      </MessagePanel>
    );
  }
  return (
    <MessagePanel
      icon={CircleAlert}
      level={1}
      alert
      title="The community could not be loaded"
      text={messageOf(error)}
    >
      <Button look="primary" onClick={onRetry}>
        Retry
      </Button>
      {back}
    </MessagePanel>
  );
}
