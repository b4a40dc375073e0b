import { useQuery } from '@tanstack/react-query';
import Bookmark from 'lucide-react/icons/bookmark';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/form/button.tsx';
import type { ViewsProps } from './list-layout.ts';
import { savedViewsQuery } from './saved-views.ts';

const loadPanel = () => import('./views-panel.tsx');
const ViewsPanel = lazy(loadPanel);

/** The saved views of a list. The button shows the name of the one that is open, and whether it was changed since. */
export function ViewsButton(props: ViewsProps) {
  const { screen, list, search, columns } = props;
  const [wanted, setWanted] = useState(false);
  const { saved } = search;
  const views = useQuery({ ...savedViewsQuery(screen), enabled: wanted || saved !== undefined });
  const query = list.viewOf(search);
  const open = views.data?.find(({ id }) => id === saved);
  // Views of an earlier version have their parameters in another order.
  const isChanged =
    open !== undefined && (list.viewOf(list.searchOf(open.query)) !== query || columns.isChanged);
  const name = open && (isChanged ? `${open.name}, changed` : open.name);
  const trigger = (
    <Button
      aria-haspopup="dialog"
      aria-label={name ? `Views: ${name}` : 'Views'}
      title="Saved views"
      onPointerEnter={() => void loadPanel()}
      onFocus={() => void loadPanel()}
    >
      <Bookmark className="size-4" aria-hidden="true" />
      <span className="max-w-32 truncate max-sm:hidden">{open?.name ?? 'Views'}</span>
      {isChanged && <span className="-ms-1.5 text-muted max-sm:hidden">, changed</span>}
    </Button>
  );
  if (!wanted) {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the control
      // biome-ignore lint/a11y/useKeyWithClickEvents: a button's key press arrives as a click
      <span onClick={() => setWanted(true)}>{trigger}</span>
    );
  }
  return (
    <Suspense fallback={trigger}>
      <ViewsPanel {...props} query={query} trigger={trigger} />
    </Suspense>
  );
}
