import type { Language } from '@copydesk/domain/catalogue';
import CircleCheck from 'lucide-react/icons/circle-check';
import Link2Off from 'lucide-react/icons/link-2-off';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../../lib/api/api-error.ts';
import { MessagePanel } from '../feedback/message-panel.tsx';
import { QueryState } from '../feedback/query-state.tsx';

interface Page {
  language: Language;
  words: { title: string };
}

interface OwnerPageProps<Data extends Page> {
  data: Data | undefined;
  error: unknown;
  onRetry(): void;
  /** The title where the link is of no use. */
  none: string;
  children(data: Data): ReactNode;
}

/** What an owner without an account sees behind a link, in the owner's language: the server speaks it. */
export function OwnerPage<Data extends Page>({ data, error, onRetry, none, children }: OwnerPageProps<Data>) {
  const isGone = error instanceof ApiError && error.code === 'link_invalid';
  return (
    <QueryState
      small
      error={
        error && !data && !isGone
          ? { title: 'This page could not be loaded', message: messageOf(error) }
          : null
      }
      onRetry={onRetry}
      isLoading={!data && !error}
      loading={<p role="status" className="h-40 animate-pulse rounded bg-subtle" />}
      isEmpty={!data}
      empty={<MessagePanel icon={Link2Off} level={1} small alert title={none} text={messageOf(error)} />}
    >
      {data && (
        <div lang={data.language} dir={data.language === 'ar' ? 'rtl' : 'ltr'} className="space-y-4">
          <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
            {data.words.title}
          </h1>
          {children(data)}
        </div>
      )}
    </QueryState>
  );
}

/** What is done. */
export function OwnerDone({ children }: { children: string }) {
  return (
    <p role="status" className="flex items-start gap-2 text-positive">
      <CircleCheck className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      {children}
    </p>
  );
}
