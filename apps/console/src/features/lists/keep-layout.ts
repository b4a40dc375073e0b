import { AS_IS, type ListLayout, type ListName } from '@copydesk/domain/person';
import { call } from '../../lib/api/api.ts';
import { isChangedMeanwhile, messageOf } from '../../lib/api/api-error.ts';
import { drafts, type KeptLayout, ownLists } from '../../lib/list/own-lists.ts';
import { mergeValues } from '../../lib/merge-values.ts';
import { toast } from '../../ui/feedback/toast-store.ts';

/** Two tabs that arrange one list do not meet this many conflicts in a row. */
const ATTEMPTS = 5;

export function keepLayout(screen: ListName, next: ListLayout): void {
  const before = ownLists.get().lists[screen];
  storeLayout(screen, before, next).then(
    (kept) => {
      const { lists, ...rest } = ownLists.get();
      // Since then they are read again, or are another person's.
      if (lists[screen] !== before) return;
      ownLists.set({ ...rest, lists: { ...lists, [screen]: kept } });
      // Unless the columns were arranged again meanwhile, what another tab has changed is shown here as well.
      if (drafts.get()[screen] === next) drafts.set({ ...drafts.get(), [screen]: undefined });
    },
    (error: unknown) =>
      toast({ tone: 'negative', title: 'The columns could not be kept', text: messageOf(error) }),
  );
}

/**
 * Another tab or device may have arranged them since this page read them: the server then refuses the change, and only
 * what was changed here is stored.
 */
async function storeLayout(screen: ListName, before: KeptLayout | undefined, next: ListLayout) {
  const params = { list: screen };
  if (isAsIs(next)) {
    await call('DELETE /api/me/lists/{list}', { params });
    return undefined;
  }
  let seen = before;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const merged = mergeLayouts(before ?? AS_IS, next, seen ?? AS_IS);
      const body = { ...wireLayout(merged), version: seen?.version ?? null };
      return (await call('PUT /api/me/lists/{list}', { params, body })).data;
    } catch (error) {
      if (attempt === ATTEMPTS || !isChangedMeanwhile(error)) throw error;
      seen = (await call('GET /api/me')).data.lists[screen];
    }
  }
}

/** As the calls take it. */
export const wireLayout = ({ order, hidden, widths, pinned }: ListLayout) => ({
  order: [...order],
  hidden: [...hidden],
  widths: { ...widths },
  pinned,
});

const isAsIs = ({ order, hidden, widths, pinned }: ListLayout) =>
  order.length === 0 && hidden.length === 0 && Object.keys(widths).length === 0 && pinned === null;

/**
 * The columns of a list after they were arranged in two places: what was not changed here keeps its stored
 * value. Hidden columns and widths are merged one by one; an order is taken whole from one of the two.
 * @param base as this place knew them
 * @param mine as they are here
 * @param stored as they are stored now
 */
export function mergeLayouts(base: ListLayout, mine: ListLayout, stored: ListLayout): ListLayout {
  const { hidden, pinned } = mergeValues(base, mine, stored).values;
  const isMoved = base.order.join() !== mine.order.join();
  const ids = Object.keys({ ...base.widths, ...mine.widths, ...stored.widths });
  const all = ({ widths }: ListLayout) => Object.fromEntries(ids.map((id) => [id, widths[id]]));
  const widths = Object.entries(mergeValues(all(base), all(mine), all(stored)).values).flatMap(([id, px]) =>
    px === undefined ? [] : [[id, px] as const],
  );
  return { order: (isMoved ? mine : stored).order, hidden, widths: Object.fromEntries(widths), pinned };
}
