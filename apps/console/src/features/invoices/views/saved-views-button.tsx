import Bookmark from 'lucide-react/icons/bookmark';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Button } from '../../../ui/form/button.tsx';
import type { InvoicesSearch } from '../invoices-search.ts';
import { SavedViewsList } from './saved-views-list.tsx';
import { useSavedViews } from './use-saved-views.ts';
import { isSameView, queryOf, searchOf } from './view-query.ts';

interface SavedViewsButtonProps {
  search: InvoicesSearch;
  onApply(search: InvoicesSearch): void;
}

/** The reader's saved views of this screen. The button shows the name of the active one. */
export function SavedViewsButton({ search, onApply }: SavedViewsButtonProps) {
  const [open, setOpen] = useState(false);
  const saved = useSavedViews();
  const query = queryOf(search);
  const current = saved.views.data?.find((view) => isSameView(view.query, query));
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button aria-label={current ? `Views: ${current.name}` : 'Views'} title="Saved views">
          <Bookmark className="size-4" aria-hidden="true" />
          <span className="max-w-32 truncate max-sm:hidden">{current?.name ?? 'Views'}</span>
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Saved views"
          className="z-40 w-72 max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-raised shadow-raised"
        >
          <SavedViewsList
            saved={saved}
            query={query}
            onApply={(view) => {
              setOpen(false);
              onApply(searchOf(view.query));
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
