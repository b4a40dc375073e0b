import { expect, test } from 'vitest';
import type { PoolMovement } from '../pools-queries.ts';
import { matchOf } from './movement-texts.ts';

const arrival: NonNullable<PoolMovement['arrival']> = {
  id: 'a',
  state: 'unexplained',
  amount: '499.7',
  from_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  transaction_hash: '0x1',
  at: '2026-01-20T11:00:00.000Z',
};
const movement: PoolMovement = {
  id: '1',
  kind: 'withdrawal',
  state: 'done',
  venue_status: 'success',
  amount: '500',
  fee: '0.3',
  to_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  transaction_hash: null,
  at: '2026-01-20T10:00:00.000Z',
  match: 'unmatched',
  arrival: null,
  fits: null,
  decision: null,
};
const proposed = { id: 'd', state: 'proposed', may_undo: false } as const;
const done = { id: 'd', state: 'done', may_undo: true } as const;
const from = '499.70 USDT from 0x5aAe…eAed';

test.each<[Partial<PoolMovement>, string, string | null]>([
  [{ match: 'matched', arrival: { ...arrival, state: 'returned' } }, 'Matched', null],
  [{ match: 'matched', arrival }, 'Matched', 'Counts in the next harvest'],
  [{ match: 'matched', kind: 'deposit' }, 'Matched', "The pool's funding"],
  [{ match: 'linked', arrival, decision: proposed }, 'Link proposed', from],
  [{ match: 'linked', arrival, decision: done }, 'Linked', from],
  [{ match: 'suggested', arrival, fits: 'amount' }, 'Suggested', `${from}, the same amount`],
  [{ match: 'suggested', arrival, fits: 'sender' }, 'Suggested', `${from}, sent from where it went`],
  [{ match: 'elsewhere' }, 'To another address', 'No arrival fits it'],
  [{}, 'Unmatched', 'Not seen at the proxy wallet'],
  [{ kind: 'deposit' }, 'Unmatched', 'Not sent by this pool'],
  [{ match: 'waiting', state: 'ended' }, 'Nothing moved', null],
  [{ match: 'waiting', state: 'under_way' }, 'Not on chain yet', null],
])('%o is shown as %s', (changes, text, note) => {
  expect(matchOf({ ...movement, ...changes })).toMatchObject({ text, note });
});
