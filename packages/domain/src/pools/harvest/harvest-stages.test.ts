import { expect, test } from 'vitest';
import { HARVEST_STAGES, type StepEntry, stageOf, stagesOf } from './harvest-stages.ts';
import { HARVEST_STATES, type HarvestStep } from './harvest-states.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10) + minute * 60_000).toISOString();
const cycle = (changes: Partial<Parameters<typeof stagesOf>[0]>) => ({
  status: 'stopped' as const,
  step: 'trading' as const,
  since: at(0),
  step_since: at(0),
  is_resume_awaited: false,
  ...changes,
});
const entries = (...list: [minute: number, step: HarvestStep][]): StepEntry[] =>
  list.map(([minute, step]) => ({ at: at(minute), step }));
/** The states, with the minutes of finished stages. */
const words = (...args: Parameters<typeof stagesOf>) =>
  stagesOf(...args).map(
    ({ stage, state, lastedMs }) => `${stage} ${state}${lastedMs === null ? '' : ` ${lastedMs / 60_000}`}`,
  );

test('every state of a cycle is in one stage, in their order, and only trading in none', () => {
  const found = HARVEST_STATES.map(({ status, step }) => [
    `${status}/${step}`,
    stageOf({ status, step, is_resume_awaited: false }),
  ]);
  const moving = [
    ['starting_harvesting/pausing', 'pause'],
    ['starting_harvesting/checking', 'check'],
    ['awaiting_bybit_withdrawal/withdrawing', 'withdraw'],
    ['processing_invoices/valuing', 'value'],
    ['processing_invoices/opening', 'open'],
    ['stopping_harvesting/planning', 'fund'],
    ['stopping_harvesting/sending', 'fund'],
    ['stopping_harvesting/crediting', 'fund'],
    ['stopping_harvesting/moving', 'fund'],
    ['stopping_harvesting/resuming', 'resume'],
  ];
  expect(found).toEqual([
    ['stopped/trading', null],
    ['harvesting/open', 'open'],
    ['harvesting/closing', 'open'],
    ...moving,
    ...moving.map(([state, stage]) => [`failed/${state?.split('/')[1]}`, stage]),
  ]);
});

test('in every state one stage is present at most: those before it are over, those after it are to come', () => {
  for (const { status, step } of HARVEST_STATES) {
    const stages = stagesOf(cycle({ status, step }), []);
    const present = stageOf({ status, step, is_resume_awaited: false });
    const before = present === null ? 0 : HARVEST_STAGES.indexOf(present);
    expect(stages.map(({ state }) => state)).toEqual(
      HARVEST_STAGES.map((stage, index) => {
        if (stage === present) return status === 'failed' ? 'failed' : 'running';
        return index < before ? 'done' : 'ahead';
      }),
    );
  }
});

test('a finished stage lasted until the next began, over all of its steps', () => {
  const found = stagesOf(
    cycle({ status: 'stopping_harvesting', step: 'crediting', since: at(300), step_since: at(330) }),
    entries(
      [0, 'pausing'],
      [4, 'checking'],
      [5, 'withdrawing'],
      [125, 'valuing'],
      [130, 'opening'],
      [131, 'open'],
      [290, 'closing'],
      [300, 'planning'],
      [301, 'sending'],
      [330, 'crediting'],
    ),
  );
  expect(found.map(({ lastedMs }) => lastedMs && lastedMs / 60_000)).toEqual([4, 1, 120, 5, 170, null, null]);
  expect(found[5]).toEqual({ stage: 'fund', state: 'running', since: at(300), lastedMs: null });
});

test('what a harvest went past is skipped, unless its beginning is not known', () => {
  const valuing = cycle({ status: 'processing_invoices', step: 'valuing', step_since: at(5) });
  const past = entries([0, 'pausing'], [4, 'checking'], [5, 'valuing']);
  expect(words(valuing, past).slice(0, 4)).toEqual([
    'pause done 4',
    'check done 1',
    'withdraw skipped',
    'value running',
  ]);
  expect(words(valuing, past.slice(1)).slice(0, 3)).toEqual(['pause done', 'check done 1', 'withdraw done']);
});

test('a harvest that was called off counts no more once another begins, and before that while trading is to resume', () => {
  const calledOff = entries([0, 'pausing'], [4, 'checking'], [9, 'trading']);
  expect(words(cycle({ since: at(9) }), calledOff)).toEqual(HARVEST_STAGES.map((stage) => `${stage} ahead`));
  const awaited = cycle({ since: at(9), step_since: at(9), is_resume_awaited: true });
  expect(words(awaited, calledOff)).toEqual([
    'pause done 4',
    'check done 5',
    ...['withdraw', 'value', 'open', 'fund'].map((stage) => `${stage} skipped`),
    'resume running',
  ]);
  expect(stagesOf(awaited, calledOff).at(-1)?.since).toBe(at(9));
  const again = cycle({ status: 'starting_harvesting', step: 'checking', step_since: at(61) });
  expect(words(again, [...calledOff, ...entries([60, 'pausing'], [61, 'checking'])]).slice(0, 2)).toEqual([
    'pause done 1',
    'check running',
  ]);
});

test('a failure and its retry belong to the stage that they are in', () => {
  const failing = entries([0, 'pausing'], [1, 'checking'], [2, 'withdrawing'], [90, 'withdrawing']);
  const failed = cycle({ status: 'failed', step: 'withdrawing', since: at(90), step_since: at(90) });
  expect(stagesOf(failed, failing)[2]).toMatchObject({ state: 'failed', since: at(2) });
  const valuing = cycle({ status: 'processing_invoices', step: 'valuing', step_since: at(120) });
  expect(words(valuing, [...failing, ...entries([100, 'withdrawing'], [120, 'valuing'])])[2]).toBe(
    'withdraw done 118',
  );
});
