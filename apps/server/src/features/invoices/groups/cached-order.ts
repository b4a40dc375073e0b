import type { GroupPage } from './invoice-groups.ts';

/** Bytes of an id. */
const ID = 16;
/** Represents the group of unknown reference numbers, which has no trader. */
const UNKNOWN_OWNER = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The owners of all matching groups, largest first: 16 bytes each. */
export type CachedOrder = Buffer;

/** The groups on a page, given all of them in order; null when the row of the cursor is missing. */
export function ownersOnPage(
  order: CachedOrder,
  { limit, offset, after, orderDir }: Pick<GroupPage, 'limit' | 'offset' | 'after' | 'orderDir'>,
): { traders: string[]; hasUnknown: boolean } | null {
  const count = order.length / ID;
  const isUp = orderDir === 'asc';
  let first = offset;
  if (after) {
    const found = placeOf(order, after.at(-1) ?? '');
    if (found === null) return null;
    first += isUp ? count - found : found + 1;
  }
  const owners: string[] = [];
  for (let place = first; place < Math.min(first + limit, count); place++)
    owners.push(idAt(order, isUp ? count - 1 - place : place));
  return {
    traders: owners.filter((owner) => owner !== UNKNOWN_OWNER),
    hasUnknown: owners.includes(UNKNOWN_OWNER),
  };
}

function placeOf(order: CachedOrder, owner: string): number | null {
  const wanted = Buffer.from(owner.replaceAll('-', ''), 'hex');
  let at = order.indexOf(wanted);
  while (at >= 0 && at % ID !== 0) at = order.indexOf(wanted, at + 1);
  return at < 0 ? null : at / ID;
}

function idAt(order: CachedOrder, place: number): string {
  const hex = order.toString('hex', place * ID, (place + 1) * ID);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
