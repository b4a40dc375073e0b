import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import { Button } from '../form/button.tsx';
import { MessagePanel } from './message-panel.tsx';

interface QueryStateProps {
  /** Set when an error leaves nothing to show. */
  error: { title: string; message: ReactNode } | null;
  onRetry(): void;
  isLoading: boolean;
  loading: ReactNode;
  isEmpty: boolean;
  empty: ReactNode;
  /** For a part of the screen instead of the whole. */
  small?: boolean;
  children: ReactNode;
}

/** Decides in one place what a query shows, error first. */
export function QueryState(props: QueryStateProps) {
  if (props.error) {
    return (
      <MessagePanel
        icon={CircleAlert}
        alert
        level={props.small ? 3 : 2}
        small={props.small}
        title={props.error.title}
        text={props.error.message}
      >
        <Button onClick={props.onRetry}>Retry</Button>
      </MessagePanel>
    );
  }
  if (props.isLoading) return props.loading;
  return props.isEmpty ? props.empty : props.children;
}
