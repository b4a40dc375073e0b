import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { REVIEWED, readReceipt, replacementOf, TRANSFER_MOVES } from './transfer-states.ts';

describe('a receipt', () => {
  const asked = { token: '0xa', from: '0xb', to: '0xc', units: 5n };
  const read = (receipt: Partial<Parameters<typeof readReceipt>[1]>, token = true) =>
    readReceipt(token ? asked : null, { isCancel: false, isSuccess: true, moved: [asked], ...receipt });
  test('ends its transfer only with exactly the asked effect', () => {
    expect(read({})).toBe('final');
    expect(read({ moved: [] })).toBe('nothing_moved');
    expect(read({ moved: [{ ...asked, units: 4n }] })).toBe('receipt_differs');
    expect(read({ isSuccess: false, moved: [] })).toBe('reverted');
    expect(read({ isCancel: true })).toBe('cancelled');
    // Coin leaves no log.
    expect(read({ moved: [] }, false)).toBe('final');
    expect(read({ isSuccess: false, moved: [] }, false)).toBe('reverted');
  });
});

describe('a sent transfer is signed again', () => {
  const facts = {
    isCancelAsked: false,
    isNewestCancel: false,
    isUnderpriced: false,
    isOld: false,
    isNext: false,
    isStopped: false,
  };
  test.each([
    ['not while it is new', {}, null],
    ['not while it is new and next', { isNext: true }, null],
    ['not behind another that is not mined', { isOld: true }, null],
    ['when it is old and next', { isOld: true, isNext: true }, 'transfer'],
    ['when no server takes its fee', { isUnderpriced: true }, 'transfer'],
    ['not while payments are stopped', { isUnderpriced: true, isStopped: true }, null],
    ['as a cancellation when that was asked', { isCancelAsked: true }, 'cancel'],
    ['as a cancellation while payments are stopped', { isCancelAsked: true, isStopped: true }, 'cancel'],
    ['not when the cancellation is new', { isCancelAsked: true, isNewestCancel: true }, null],
    [
      'as the same cancellation when that is old',
      { isCancelAsked: true, isNewestCancel: true, isOld: true, isNext: true },
      'cancel',
    ],
  ] as const)('%s', (_, changed, instead) => {
    expect(replacementOf({ ...facts, ...changed })).toBe(instead);
  });
});

const FUNCTIONS = readFileSync(
  fileURLToPath(new URL('../../../../../apps/server/schema/functions.sql', import.meta.url)),
  'utf8',
).split(/^CREATE OR REPLACE FUNCTION app\./m);
/** What the functions of the database do to states, by the generated schema. */
const MOVES_IN_DATABASE = FUNCTIONS.flatMap((body) =>
  [...body.matchAll(/UPDATE transfer \w* ?SET [^;]*?\bstate = ([^,;]+?)(?:,|\s)([^;]*);/g)].map(
    ([, to = '', rest = '']) => ({
      name: /^\w+/.exec(body)?.[0] ?? '',
      from: [...rest.matchAll(/state = '(\w+)'/g)].map(([, from]) => from).join(),
      to: to.replace(/'(\w+)'(::text)?/, '$1'),
      reviewed: [...rest.matchAll(/problem = '(\w+)'::text\) AND \(\S+ = '(\w+)'/g)].map(
        ([, problem, state]) => [problem, state],
      ),
    }),
  ),
);

test('functions of the database change states as the table does, and no other way', () => {
  const { taken_back, cancelled } = TRANSFER_MOVES;
  const reviewed = Object.entries(REVIEWED).map(([problem, event]) => [problem, TRANSFER_MOVES[event].to]);
  expect(MOVES_IN_DATABASE.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'end_suspected', from: cancelled.from, to: 'end_suspected.ended_as', reviewed },
    { name: 'void_planned', ...taken_back, reviewed: [] },
    { name: 'void_unsignable', ...taken_back, reviewed: [] },
  ]);
});
