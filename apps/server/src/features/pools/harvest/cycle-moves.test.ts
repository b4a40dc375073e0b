import { HARVEST_STATES, HARVEST_TRANSITIONS, type HarvestState } from '@copydesk/domain/pools';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Status, step, and what failed. */
type Written = [status: string, step: string, failedFrom: string | null];
const written = (state: HarvestState): Written => [
  state.status,
  state.step,
  state.status === 'failed' ? state.failedFrom : null,
];

/** The moves that people cause, whatever the facts. Workers and bots move a cycle in a worker. */
function movesOfPeople(): string[] {
  const moves = HARVEST_TRANSITIONS.flatMap(({ status, step, roles, to }) => {
    if (to === 'stay' || !roles.some((role) => role !== 'worker' && role !== 'bot')) return [];
    return HARVEST_STATES.filter(
      (from) => from.status === status && (step === 'any' || from.step === step),
    ).map((from): [Written, Written] => {
      if (to === 'back')
        return [written(from), [(from as { failedFrom: string }).failedFrom, from.step, null]];
      if ('failed' in to) throw new Error('people fail no cycle');
      return [written(from), written(to)];
    });
  });
  return [...new Set(moves.map((move) => JSON.stringify(move)))].sort();
}

test('the database lets the API move a cycle as people may, and in no other way', async () => {
  const allowed = await asOwner<{ move: string }>(
    database.ownerUrl,
    `SELECT json_build_array(f, t)::text AS move
     FROM jsonb_array_elements($1::jsonb) f, jsonb_array_elements($1::jsonb) t
     WHERE f <> t AND app.may_move_cycle(f ->> 0, f ->> 1, f ->> 2, t ->> 0, t ->> 1, t ->> 2)`,
    [JSON.stringify(HARVEST_STATES.map(written))],
  );
  const found = allowed.map(({ move }) => JSON.stringify(JSON.parse(move))).sort();
  expect(found).toEqual(movesOfPeople());
  expect(found.length).toBeGreaterThan(15);
});
