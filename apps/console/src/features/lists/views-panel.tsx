import { cleanLine } from '@copydesk/domain/text';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import Check from 'lucide-react/icons/check';
import House from 'lucide-react/icons/house';
import Trash2 from 'lucide-react/icons/trash-2';
import Users from 'lucide-react/icons/users';
import { Popover } from 'radix-ui';
import { type FormEvent, type ReactNode, useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { ownLists } from '../../lib/list/own-lists.ts';
import { useStore } from '../../lib/store.ts';
import { Button } from '../../ui/form/button.tsx';
import { CheckField } from '../../ui/form/check-field.tsx';
import { PopoverPanel } from '../../ui/layout/popover-panel.tsx';
import { wireLayout } from './keep-layout.ts';
import type { SavedView, ViewsProps } from './list-layout.ts';
import { useSavedViews } from './saved-views.ts';

interface ViewsPanelProps extends ViewsProps {
  /** The screen's present parameters. */
  query: string;
  trigger: ReactNode;
}

/** The opened saved views. Starts open, because it is loaded on first use. */
export default function ViewsPanel(props: ViewsPanelProps) {
  const { screen, list, query, columns, countOf, trigger, onApply } = props;
  const [isOpen, setOpen] = useState(true);
  const saved = useSavedViews(screen);
  const { views } = saved;
  const shown = views.data ?? [];
  const apply = (view: SavedView) => {
    setOpen(false);
    columns.forget(view.id);
    onApply({ ...list.searchOf(view.query), saved: view.id });
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <PopoverPanel align="end" aria-label="Saved views" className="w-84">
        {views.error && !views.data && (
          <p role="alert" className="px-3 pt-3 text-negative">
            The views could not be loaded: {messageOf(views.error)}
          </p>
        )}
        {views.data && shown.length === 0 && (
          <p className="px-3 py-2.5 text-muted">
            Filters, order, page size and columns can be kept under a name.
          </p>
        )}
        <ul aria-label="Views" className="max-h-72 overflow-y-auto p-1 empty:hidden">
          {shown.map((view) => (
            <ViewRow
              key={view.id}
              view={view}
              isCurrent={
                list.viewOf(list.searchOf(view.query)) === query &&
                (view.id === props.search.saved || !view.layout)
              }
              count={countOf && <ViewCount query={countOf(view.query)} />}
              onApply={() => apply(view)}
              onChoose={() => !saved.choose.isPending && saved.choose.mutate(view)}
              onForget={() => !saved.forget.isPending && saved.forget.mutate(view)}
            />
          ))}
        </ul>
        <NewViewForm
          views={shown.filter(({ is_own }) => is_own)}
          isBusy={saved.save.isPending}
          onSave={(name, isShared, onSaved) =>
            saved.save.mutate(
              {
                name,
                query,
                is_shared: isShared,
                layout: wireLayout(columns.layout),
              },
              {
                onSuccess: ({ data }) => {
                  onSaved();
                  columns.forget(data.id);
                  onApply({ saved: data.id });
                },
              },
            )
          }
        />
      </PopoverPanel>
    </Popover.Root>
  );
}

interface ViewRowProps {
  view: SavedView;
  isCurrent: boolean;
  count: ReactNode;
  onApply(): void;
  onChoose(): void;
  onForget(): void;
}

function ViewRow({ view, isCurrent, count, onApply, onChoose, onForget }: ViewRowProps) {
  const { name, is_default, is_own, is_shared, shared_by } = view;
  const startsWith = is_default ? `Open the list as usual, not with ${name}` : `Open the list with ${name}`;
  return (
    <li className="flex items-center rounded hover:bg-subtle">
      <button
        type="button"
        aria-current={isCurrent || undefined}
        onClick={onApply}
        className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded px-2 text-start"
      >
        <Check
          aria-hidden="true"
          className={clsx('size-3.5 shrink-0 text-accent', !isCurrent && 'invisible')}
        />
        <span className="truncate">{name}</span>
        {is_shared && (
          <span
            title={is_own ? 'Shared' : `Shared by ${shared_by}`}
            className="flex shrink-0 items-center gap-1 text-xs text-muted"
          >
            <Users className="size-3" aria-hidden="true" />
            <span className="sr-only">{is_own ? 'Shared' : `Shared by ${shared_by}`}</span>
          </span>
        )}
      </button>
      <span className="shrink-0 px-2 text-xs text-muted tabular-nums">{count}</span>
      <button
        type="button"
        aria-label={startsWith}
        title={startsWith}
        aria-pressed={is_default}
        onClick={onChoose}
        className={clsx(
          'flex size-6 shrink-0 items-center justify-center rounded hover:text-ink',
          is_default ? 'text-accent' : 'text-muted',
        )}
      >
        <House className="size-3.5" aria-hidden="true" />
      </button>
      {is_own ? (
        <button
          type="button"
          aria-label={`Delete view ${name}`}
          title="Delete view"
          onClick={onForget}
          className="me-1 flex size-6 shrink-0 items-center justify-center rounded text-muted hover:text-negative"
        >
          <Trash2 className="size-3.5" aria-hidden="true" />
        </button>
      ) : (
        <span className="me-1 size-6 shrink-0" />
      )}
    </li>
  );
}

type CountQuery = ReturnType<NonNullable<ViewsProps['countOf']>>;

function ViewCount({ query }: { query: CountQuery }) {
  const { data } = useQuery(query);
  return data === undefined ? null : formatCount(data);
}

interface NewViewFormProps {
  /** The own ones: a name that one of them has is replaced. */
  views: readonly SavedView[];
  isBusy: boolean;
  onSave(name: string, isShared: boolean, onSaved: () => void): void;
}

function NewViewForm({ views, isBusy, onSave }: NewViewFormProps) {
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const { seesAll } = useStore(ownLists);
  const replaced = views.find((view) => cleanLine(view.name) === cleanLine(name));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || isBusy) return;
    onSave(name.trim(), isShared, () => setName(''));
  };
  return (
    <form onSubmit={submit} className="grid gap-2 border-t border-line p-2 first:border-t-0">
      <div className="flex gap-2">
        <input
          aria-label="Name of the view"
          placeholder="Save this view as"
          value={name}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          className="h-8 min-w-0 flex-1 rounded-md border border-control bg-surface px-2.5 placeholder:text-muted"
        />
        <Button type="submit" look="primary" aria-disabled={name.trim() === '' || isBusy}>
          {replaced ? 'Replace' : 'Save'}
        </Button>
      </div>
      <CheckField
        label={seesAll ? 'Share with everybody' : 'Share with everybody who sees all that I see'}
        checked={isShared}
        onChange={(event) => setShared(event.target.checked)}
      />
    </form>
  );
}
