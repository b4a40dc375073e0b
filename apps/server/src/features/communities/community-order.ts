import type { CommunitySums } from './community-sums.views.ts';

/** Sums by community, largest first, and the time of their reading. */
export interface TakenSums {
  sums: ReadonlyMap<string, CommunitySums>;
  takenAt: string;
}

const NOTHING: CommunitySums = { trader_count: 0, total_aum: '0', pool_capital: '0', unread_accounts: 0 };

export function figuresOf(sums: ReadonlyMap<string, CommunitySums>, id: string): CommunitySums {
  return sums.get(id) ?? NOTHING;
}

/**
 * Communities with their figures: active ones first, then by AUM descending. Communities without AUM keep their order.
 */
export function byFigures<C extends { id: string; is_archived: boolean }>(
  communities: readonly C[],
  sums: ReadonlyMap<string, CommunitySums>,
): (C & CommunitySums)[] {
  const places = new Map([...sums.keys()].map((id, place) => [id, place]));
  const placeOf = ({ id }: C) =>
    figuresOf(sums, id).total_aum === '0' ? sums.size : (places.get(id) ?? sums.size);
  return [...communities]
    .sort((a, b) => Number(a.is_archived) - Number(b.is_archived) || placeOf(a) - placeOf(b))
    .map((community) => ({ ...community, ...figuresOf(sums, community.id) }));
}
