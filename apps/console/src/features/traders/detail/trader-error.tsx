import CircleAlert from 'lucide-react/icons/circle-alert';
import ShieldX from 'lucide-react/icons/shield-x';
import UserX from 'lucide-react/icons/user-x';
import WifiOff from 'lucide-react/icons/wifi-off';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Button } from '../../../ui/form/button.tsx';

const ICONS = { 'not-found': UserX, denied: ShieldX, connection: WifiOff, other: CircleAlert } as const;

export function TraderError({ error, onRetry, back }: { error: unknown; onRetry(): void; back: ReactNode }) {
  const { kind, title, text } = traderProblem(error);
  return (
    <MessagePanel icon={ICONS[kind]} title={title} text={text} level={1} alert>
      {kind !== 'not-found' && (
        <Button look="primary" onClick={onRetry}>
          Try Again
        </Button>
      )}
      {back}
    </MessagePanel>
  );
}

interface TraderProblem {
  kind: 'not-found' | 'denied' | 'connection' | 'other';
  title: string;
  text: string;
}

/** The error screen of a failed load of a trader: by status, else by the text (console spec, section 8). */
export function traderProblem(error: unknown): TraderProblem {
  const message = messageOf(error);
  const status = error instanceof ApiError ? error.status : null;
  const says = (pattern: RegExp) => pattern.test(message);
  if (status === 404 || says(/404|not found/i)) {
    return {
      kind: 'not-found',
      title: 'Trader Not Found',
      text: 'The requested trader could not be found. It may have been deleted or you may not have access.',
    };
  }
  if (status === 401 || status === 403 || says(/401|unauthorized|token/i)) {
    return {
      kind: 'denied',
      title: 'Access Denied',
      text: "You don't have permission to view this trader. Please check that you are logged in.",
    };
  }
  if (status === 0 || says(/network|fetch/i)) {
    return {
      kind: 'connection',
      title: 'Connection Error',
      text: 'The server could not be reached. Please check your internet connection and try again.',
    };
  }
  return { kind: 'other', title: 'Something went wrong', text: message };
}
