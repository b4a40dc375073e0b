import type { CallAnswer } from '@copydesk/contract';
import type { ListLayout, ListName } from '@copydesk/domain/person';
import { createStore } from '../store.ts';

type Me = CallAnswer<'GET /api/me'>['data'];
/** A layout as it is stored, with what its next change names. */
export type KeptLayout = NonNullable<Me['lists'][ListName]>;

/** How the person on screen has lists: the arranged columns, and the views that they open with. */
export const ownLists = createStore<
  Pick<Me, 'lists' | 'default_views'> & { person: string; isReadOnly: boolean; seesAll: boolean }
>({
  /** Whose they are: who is viewed as, or else who is signed in. */
  person: '',
  lists: {},
  default_views: {},
  isReadOnly: false,
  /** The lists that a super admin shares are visible to all. */
  seesAll: false,
});

/** A super admin who views as another person sees that person's lists, and changes nothing about them. */
export const setOwnLists = ({ id: person, lists, default_views, viewed_by, super: seesAll }: Me) =>
  ownLists.set({ person, lists, default_views, isReadOnly: viewed_by !== null, seesAll });

/** What was arranged and is not kept yet, by list, or by view where a view has columns of its own. */
export const drafts = createStore<Readonly<Record<string, ListLayout | undefined>>>({});
