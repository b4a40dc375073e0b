import type { ListLayout } from '@copydesk/domain/person';
import { mergeValues } from '../merge-values.ts';

/** As the calls take it. */
export const wireLayout = ({ order, hidden, widths, pinned }: ListLayout) => ({
  order: [...order],
  hidden: [...hidden],
  widths: { ...widths },
  pinned,
});

/**
 * The columns of a list after they were arranged in two places: what was not touched here is as it was stored meanwhile.
 * Hidden columns and widths are merged one by one; an order is one person's or the other's.
 * @param base as this place knew them
 * @param mine as they stand here
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
