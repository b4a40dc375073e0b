import type { LucideIcon } from 'lucide-react';
import Plus from 'lucide-react/icons/plus';
import type { ReactNode } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';

interface OffersPanelProps {
  /** In the plural: also in the texts for loading and failing. */
  title: string;
  query: { data: readonly unknown[] | undefined; error: Error | null; refetch(): Promise<unknown> };
  /** Whether nothing is shown of the list. */
  isEmpty: boolean;
  empty: { icon: LucideIcon; title: string; text: string };
  /** The label of the button that adds one. */
  add: string;
  onAdd(): void;
  /** Beside that button. */
  choice?: ReactNode;
  /** The open dialog. */
  dialog: ReactNode;
  children: ReactNode;
}

/** A list of what a bot offers, with its states and the button to add to it. */
export function OffersPanel(props: OffersPanelProps) {
  const { title, query, isEmpty, empty, add, onAdd, choice, dialog, children } = props;
  const { data, error, refetch } = query;
  const offers = title.toLowerCase();
  return (
    <Panel
      title={title}
      flush
      count={data?.length}
      actions={
        <>
          {choice}
          <Button className="h-7!" onClick={onAdd}>
            <Plus className="size-4" aria-hidden="true" />
            {add}
          </Button>
        </>
      }
    >
      <QueryState
        small
        error={
          error && !data ? { title: `The ${offers} could not be loaded`, message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text={`Loading ${offers}...`} />}
        isEmpty={isEmpty}
        empty={<MessagePanel level={3} small {...empty} />}
      >
        {children}
      </QueryState>
      {dialog}
    </Panel>
  );
}
