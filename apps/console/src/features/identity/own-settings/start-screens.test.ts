import { START_SCREENS, type StartScreen } from '@copydesk/domain/person';
import { expect, test } from 'vitest';
import { startPath, startScreensOf } from './start-screens.ts';

const start = (start_screen: StartScreen, isSuper: boolean) =>
  startPath({ super: isSuper, settings: { start_screen } });

test('a super admin may start anywhere, and others not on the dashboard', () => {
  expect(new Set(startScreensOf({ super: true }))).toEqual(new Set(START_SCREENS));
  expect(new Set(startScreensOf({ super: false }))).toEqual(
    new Set(START_SCREENS.filter((name) => name !== 'dashboard')),
  );
});

test('the chosen screen comes first, unless the person may not open it any more', () => {
  expect(start('traders', false)).toBe('/');
  expect(start('payouts', false)).toBe('/transaction-history');
  expect(start('dashboard', true)).toBe('/super-admin');
  expect(start('dashboard', false)).toBe('/');
});
