import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { When } from '../figures/when.tsx';
import { Button } from '../form/button.tsx';
import { Panel } from '../layout/panel.tsx';
import { Loading } from './loading.tsx';
import { MessagePanel } from './message-panel.tsx';
import { QueryState } from './query-state.tsx';

/** A change and its author. */
interface Change {
  at: string;
  actor_name: string;
  actor_kind: string;
}

interface ChangeLogProps<C extends Change> {
  title: string;
  /** The accessible name of the list. */
  label: string;
  icon: LucideIcon;
  /** Undefined while loading. */
  page: { data: readonly C[]; meta: { total: number } } | undefined;
  /** Set when an error leaves nothing to show. */
  error: { title: string; message: string } | null;
  loading: string;
  /** Where changes would come from, when there are none. */
  empty: string;
  isMoreLoading: boolean;
  onMore(): void;
  onRetry(): void;
  children(change: C): ReactNode;
}

/** Changes with time and author, newest first, and more on request. */
export function ChangeLog<C extends Change>(props: ChangeLogProps<C>) {
  const { title, page, isMoreLoading } = props;
  const shown = page?.data ?? [];
  return (
    <Panel title={title} count={page?.meta.total} flush>
      <QueryState
        small
        error={props.error}
        onRetry={props.onRetry}
        isLoading={!page}
        loading={<Loading text={props.loading} />}
        isEmpty={shown.length === 0}
        empty={<MessagePanel icon={props.icon} level={3} small title="No changes yet" text={props.empty} />}
      >
        <ol aria-label={props.label}>
          {shown.map((change, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, two may share a moment, and none has state
            <Entry key={index} change={change}>
              {props.children(change)}
            </Entry>
          ))}
        </ol>
        {page && page.meta.total > shown.length && (
          <div className="border-t border-line p-2 text-center">
            <Button
              look="quiet"
              aria-disabled={isMoreLoading}
              onClick={() => !isMoreLoading && props.onMore()}
            >
              Show more
            </Button>
          </div>
        )}
      </QueryState>
    </Panel>
  );
}

function Entry({ change, children }: { change: Change; children: ReactNode }) {
  return (
    <li className="grid gap-x-4 gap-y-0.5 border-t border-line px-4 py-2 first:border-t-0 sm:grid-cols-[8.5rem_minmax(0,1fr)_auto]">
      <When at={change.at} className="text-xs leading-5 text-muted" />
      <div className="min-w-0">{children}</div>
      <p className="text-xs leading-5 text-muted">
        by <span className="text-ink">{change.actor_name}</span>
        {change.actor_kind !== 'user' && ` (${change.actor_kind})`}
      </p>
    </li>
  );
}
