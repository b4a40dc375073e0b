import type { CallAnswer } from '@copydesk/contract';
import type { ListLayout } from '@copydesk/domain/person';
import { createStore } from '../store.ts';

type Me = CallAnswer<'GET /api/me'>['data'];

/** How the person on screen has lists: the arranged columns, and the views that they open with. */
export const ownLists = createStore<
  Pick<Me, 'lists' | 'default_views'> & { isReadOnly: boolean; seesAll: boolean }
>({
  lists: {},
  default_views: {},
  isReadOnly: false,
  /** What a super admin shares is seen by everybody. */
  seesAll: false,
});

/** A super admin who views as another person sees that person's lists, and changes nothing about them. */
export const setOwnLists = ({ lists, default_views, viewed_by, super: seesAll }: Me) =>
  ownLists.set({ lists, default_views, isReadOnly: viewed_by !== null, seesAll });

/** What was arranged since the page was loaded, by list, or by view where a view has columns of its own. */
export const drafts = createStore<Readonly<Record<string, ListLayout | undefined>>>({});
