import CircleAlert from 'lucide-react/icons/circle-alert';
import ShieldX from 'lucide-react/icons/shield-x';
import UserX from 'lucide-react/icons/user-x';
import WifiOff from 'lucide-react/icons/wifi-off';
import type { ReactNode } from 'react';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { traderProblem } from './trader-problem.ts';

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
