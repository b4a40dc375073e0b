import { useQuery } from '@tanstack/react-query';
import Bookmark from 'lucide-react/icons/bookmark';
import { lazy } from 'react';
import { OnDemandButton } from '../../ui/layout/on-demand-button.tsx';
import { savedViewsQuery, type ViewsProps } from './list-layout.ts';

const loadPanel = () => import('./views-panel.tsx');
const ViewsPanel = lazy(loadPanel);

/** The saved views of a list. The button shows the name of the one that is open, and whether it was changed since. */
export function ViewsButton(props: ViewsProps) {
  const { screen, list, search, columns } = props;
  const { saved } = search;
  const views = useQuery({ ...savedViewsQuery(screen), enabled: saved !== undefined });
  const query = list.viewOf(search);
  const open = views.data?.find(({ id }) => id === saved);
  // Views of an earlier version have their parameters in another order.
  const isChanged =
    open !== undefined && (list.viewOf(list.searchOf(open.query)) !== query || columns.isChanged);
  const name = open && (isChanged ? `${open.name}, changed` : open.name);
  return (
    <OnDemandButton
      load={loadPanel}
      aria-label={name ? `Views: ${name}` : 'Views'}
      title="Saved views"
      face={
        <>
          <Bookmark className="size-4" aria-hidden="true" />
          <span className="max-w-32 truncate max-sm:hidden">{open?.name ?? 'Views'}</span>
          {isChanged && <span className="-ms-1.5 text-muted max-sm:hidden">, changed</span>}
        </>
      }
    >
      {(trigger) => <ViewsPanel {...props} query={query} trigger={trigger} />}
    </OnDemandButton>
  );
}
