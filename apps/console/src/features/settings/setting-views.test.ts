import { expect, test } from 'vitest';
import { settingText } from './setting-views.ts';

test('a change of benefits alone is a change of words', () => {
  const bronze = { name: 'Bronze', min_aum: '10000' };
  expect(settingText('vip_tiers', [bronze])).toBe('Bronze from $10,000');
  expect(settingText('vip_tiers', [{ ...bronze, benefits: 'A monthly report' }])).toBe(
    'Bronze from $10,000 (A monthly report)',
  );
});
