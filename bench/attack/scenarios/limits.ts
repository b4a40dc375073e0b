import { puppet, type Scenario, userOf } from './pieces.ts';

const change = (
  name: string,
  { previous, value, state = 'applied', by = 'NULL', basedOn = '' }: Record<string, string>,
) =>
  `INSERT INTO platform_setting_change (name, previous, value, based_on, state, requested_at, requested_by_id, requested_by
      ${by === 'NULL' ? '' : ', decided_at, decided_by_id, decided_by'})
    SELECT '${name}', '${previous}', '${value}', ${basedOn || `coalesce((SELECT version FROM platform_setting WHERE name = '${name}'), 0)`},
      '${state}', now(), ${userOf('super')}::text, 'x' ${by === 'NULL' ? '' : `, now(), ${by}::text, 'x'`}`;
const save = (name: string, value: string) =>
  `INSERT INTO platform_setting (name, value, changed_at, changed_by) VALUES ('${name}', '${value}', now(), 'x')
   ON CONFLICT (name) DO UPDATE SET value = excluded.value, version = platform_setting.version + 1`;
const HOLD = 'payout_address_hold_hours';

/** Limits. */
export const LIMITS: readonly Scenario[] = [
  { name: 'a setting without a change', steps: [save('payout_max_per_day', '1000000')] },
  {
    name: 'a setting that is removed',
    steps: [
      change(HOLD, { previous: '24', value: '48' }),
      save(HOLD, '48'),
      `UPDATE platform_setting SET value = NULL, version = version + 1 WHERE name = '${HOLD}'`,
    ],
  },
  {
    name: 'a hold shortened without another person',
    steps: [change(HOLD, { previous: '24', value: '0' }), save(HOLD, '0')],
  },
  {
    name: 'a hold shortened as if it were longer before',
    steps: [
      change(HOLD, { previous: '24', value: '48' }),
      save(HOLD, '48'),
      change(HOLD, { previous: '0', value: '1' }),
      save(HOLD, '1'),
    ],
  },
  {
    name: 'a hold shortened by its author',
    steps: [
      change(HOLD, { previous: '24', value: '0', state: 'waiting' }),
      `UPDATE platform_setting_change SET state = 'applied', decided_at = now(), decided_by_id = requested_by_id, decided_by = 'x' WHERE state = 'waiting' AND name = '${HOLD}'`,
      save(HOLD, '0'),
    ],
  },
  {
    name: 'a hold shortened by staff',
    steps: [
      change(HOLD, { previous: '24', value: '0', state: 'waiting' }),
      `UPDATE platform_setting_change SET state = 'applied', decided_at = now(), decided_by_id = ${userOf('staff')}, decided_by = 'x' WHERE state = 'waiting' AND name = '${HOLD}'`,
      save(HOLD, '0'),
    ],
  },
  {
    name: 'a hold shortened by a puppet',
    steps: [
      ...puppet,
      change(HOLD, { previous: '24', value: '0', state: 'waiting' }),
      `UPDATE platform_setting_change SET state = 'applied', decided_at = now(), decided_by_id = md5('puppet')::uuid::text, decided_by = 'x' WHERE state = 'waiting' AND name = '${HOLD}'`,
      save(HOLD, '0'),
    ],
  },
  {
    name: 'a change that is born approved',
    steps: [change(HOLD, { previous: '24', value: '0', by: userOf('super-2') }), save(HOLD, '0')],
  },
  {
    name: 'an earlier decision used again',
    steps: [
      change(HOLD, { previous: '24', value: '30' }),
      save(HOLD, '30'),
      change(HOLD, { previous: '30', value: '60' }),
      save(HOLD, '60'),
      save(HOLD, '30'),
    ],
  },
  {
    name: 'a decision for a later version',
    steps: [
      change(HOLD, { previous: '24', value: '30', basedOn: '1' }),
      change(HOLD, { previous: '24', value: '60' }),
      save(HOLD, '60'),
      save(HOLD, '30'),
    ],
  },
  {
    name: 'another value than was decided',
    steps: [change(HOLD, { previous: '24', value: '48' }), save(HOLD, '0')],
  },
  {
    name: 'a decided change decided again',
    steps: [
      change(HOLD, { previous: '24', value: '48' }),
      `UPDATE platform_setting_change SET state = 'waiting' WHERE state = 'applied'`,
    ],
  },
  {
    name: 'a default that the API notes',
    steps: [`INSERT INTO platform_setting_default VALUES ('${HOLD}', '0', now())`],
  },
];
