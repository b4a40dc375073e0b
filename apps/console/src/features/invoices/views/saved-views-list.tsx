import { cleanLine } from '@copydesk/domain/text';
import { clsx } from 'clsx';
import Check from 'lucide-react/icons/check';
import Trash2 from 'lucide-react/icons/trash-2';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { Button } from '../../../ui/form/button.tsx';
import type { SavedView, useSavedViews } from './use-saved-views.ts';
import { isSameView } from './view-query.ts';

interface SavedViewsListProps {
  saved: ReturnType<typeof useSavedViews>;
  /** The screen's present state. */
  query: string;
  onApply(view: SavedView): void;
}

export function SavedViewsList({ saved, query, onApply }: SavedViewsListProps) {
  const { views, save, forget } = saved;
  const [name, setName] = useState('');
  const shown = views.data ?? [];
  const replaced = shown.find((view) => cleanLine(view.name) === cleanLine(name));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || save.isPending) return;
    save.mutate({ name: name.trim(), query }, { onSuccess: () => setName('') });
  };
  return (
    <>
      {views.error && !views.data && (
        <p role="alert" className="px-3 pt-3 text-negative">
          The views could not be loaded: {messageOf(views.error)}
        </p>
      )}
      {views.data && shown.length === 0 && (
        <p className="px-3 py-2.5 text-muted">Filters, order and page size can be kept under a name.</p>
      )}
      <ul aria-label="Views" className="max-h-72 overflow-y-auto p-1 empty:hidden">
        {shown.map((view) => {
          const isCurrent = isSameView(view.query, query);
          return (
            <li key={view.id} className="group/view flex items-center rounded hover:bg-subtle">
              <button
                type="button"
                aria-current={isCurrent || undefined}
                onClick={() => onApply(view)}
                className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded px-2 text-start"
              >
                <Check
                  aria-hidden="true"
                  className={clsx('size-3.5 shrink-0 text-accent', !isCurrent && 'invisible')}
                />
                <span className="truncate">{view.name}</span>
              </button>
              <button
                type="button"
                aria-label={`Delete view ${view.name}`}
                title="Delete view"
                onClick={() => !forget.isPending && forget.mutate(view)}
                className="me-1 flex size-6 shrink-0 items-center justify-center rounded text-muted hover:text-negative"
              >
                <Trash2 className="size-3.5" aria-hidden="true" />
              </button>
            </li>
          );
        })}
      </ul>
      <form onSubmit={submit} className="flex gap-2 border-t border-line p-2 first:border-t-0">
        <input
          aria-label="Name of the view"
          placeholder="Save this view as"
          value={name}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          className="h-8 min-w-0 flex-1 rounded-md border border-control bg-surface px-2.5 placeholder:text-muted"
        />
        <Button type="submit" look="primary" aria-disabled={name.trim() === '' || save.isPending}>
          {replaced ? 'Replace' : 'Save'}
        </Button>
      </form>
    </>
  );
}
