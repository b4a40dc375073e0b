import { expect, test } from 'vitest';
import { isTradedOn, type TurnFacts, turnOf } from './harvest-turn.ts';

const AT = '2026-11-20T10:00:00Z';
const STEP_AT = '2026-11-20T11:00:00Z';
const UNTIL = '2026-11-23T10:00:00Z';
const cycle = (changes: Partial<TurnFacts>): TurnFacts => ({
  status: 'starting_harvesting',
  step: 'pausing',
  reason: null,
  since: AT,
  step_since: STEP_AT,
  deadline_at: UNTIL,
  is_resume_awaited: false,
  ...changes,
});
const withdrawing = { status: 'awaiting_bybit_withdrawal', step: 'withdrawing' } as const;
const valuing = { status: 'processing_invoices', step: 'valuing' } as const;
const trading = { status: 'stopped', step: 'trading' } as const;

test.each([
  [{}, true, 'bot', null],
  [{}, false, 'operator', 'confirm_paused'],
  [{ step: 'checking' }, false, 'system', null],
  [withdrawing, true, 'owner', 'withdraw'],
  [{ ...withdrawing, reason: 'above_dust' }, true, 'owner', 'withdraw'],
  [{ ...withdrawing, reason: 'returns_missing' }, true, 'system', null],
  [{ ...withdrawing, reason: 'withdrawal_under_way' }, true, 'system', null],
  [{ ...withdrawing, reason: 'invalid_credentials' }, true, 'super_admin', 'replace_key'],
  [{ ...withdrawing, reason: 'credentials_or_ip' }, true, 'super_admin', 'replace_key'],
  [{ ...withdrawing, reason: 'ip_not_allowed' }, true, 'super_admin', 'replace_key'],
  [{ ...withdrawing, reason: 'insufficient_permission' }, true, 'super_admin', 'replace_key'],
  [{ ...withdrawing, reason: 'other_account' }, true, 'super_admin', 'replace_key'],
  [{ ...withdrawing, reason: 'open_positions_exist' }, true, 'operator', 'close_positions'],
  [valuing, true, 'system', null],
  [{ ...valuing, reason: 'approval_required' }, true, 'another_super_admin', 'approve'],
  [{ ...valuing, step: 'opening', reason: 'approval_required' }, true, 'system', null],
  [{ status: 'stopping_harvesting', step: 'resuming' }, false, 'operator', 'confirm_resumed'],
  [{ status: 'stopping_harvesting', step: 'sending' }, false, 'system', null],
  [
    { status: 'stopping_harvesting', step: 'planning', reason: 'deposit_address_not_approved' },
    true,
    'super_admin',
    'approve_address',
  ],
  [{ status: 'harvesting', step: 'closing' }, true, 'super_admin', 'stop'],
  [{ status: 'failed', step: 'sending', reason: 'transfer_reverted' }, true, 'super_admin', 'retry'],
  [{ status: 'failed', step: 'crediting', reason: 'deposit_rejected' }, true, 'super_admin', 'resolve'],
  [{ status: 'failed', step: 'opening', reason: 'shortfall' }, true, 'super_admin', 'resolve'],
  [{ status: 'failed', step: 'checking', reason: 'open_positions_exist' }, true, 'super_admin', 'retry'],
  [{ status: 'failed', step: 'sending' }, true, 'super_admin', 'retry'],
  [{ ...trading, is_resume_awaited: true }, false, 'operator', 'confirm_resumed'],
] as const)('%j, with a bot: %s, waits for %s to %s', (changes, hasBot, who, act) => {
  expect(turnOf(cycle(changes as Partial<TurnFacts>), hasBot)).toMatchObject({ who, act, until: UNTIL });
});

test.each([
  trading,
  { ...trading, reason: 'positions_appeared' },
  { status: 'harvesting', step: 'open' },
] as const)('%j waits for no one', (changes) => {
  expect(turnOf(cycle(changes), false)).toBeNull();
});

test('a turn begins with the status, and where steps have their own clock with the step', () => {
  expect(turnOf(cycle(withdrawing), true)?.since).toBe(AT);
  expect(turnOf(cycle(valuing), true)?.since).toBe(STEP_AT);
  expect(turnOf(cycle({ status: 'stopping_harvesting', step: 'sending' }), true)?.since).toBe(STEP_AT);
});

test('trading after the pause is an alarm, and a position before it is none', () => {
  const reason = 'open_positions_exist';
  expect(turnOf(cycle({ ...withdrawing, reason }), true)?.isAlarm).toBe(true);
  expect(turnOf(cycle({ status: 'harvesting', step: 'open', reason }), true)).toMatchObject({
    who: 'operator',
    act: 'close_positions',
    isAlarm: true,
  });
  expect(turnOf(cycle({ reason }), true)?.isAlarm).toBe(false);
  expect(isTradedOn(cycle({ ...trading, reason: 'positions_appeared' }))).toBe(true);
  expect(isTradedOn(cycle({ ...withdrawing, reason: 'positions_appeared' }))).toBe(false);
  expect(isTradedOn(cycle({ ...trading, reason }))).toBe(false);
  expect(
    turnOf(cycle({ ...trading, reason: 'positions_appeared', is_resume_awaited: true }), false),
  ).toMatchObject({
    who: 'operator',
    isAlarm: true,
  });
  expect(turnOf(cycle(withdrawing), true)?.isAlarm).toBe(false);
});
