import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const sources = fileURLToPath(new URL('../../apps/console/src/', import.meta.url));

/** Acts whose text was ordered in title case. */
const TITLE_CASE = [
  'Back to Traders',
  'Deselect All',
  'Distribute All',
  'Distribute Selected',
  'Go Back',
  'Hide Archived',
  'Refresh Page',
  'Select All',
  'Show Archived',
  'Try Again',
];
/** Words that begin with a capital wherever they stand. */
const NAMES = /\b(Bybit|Copydesk|PnL|Stripe|Telegram|Transaction History)\b/g;
const ACTS = /<Button\b[\s\S]*?<\/Button>|\b(?:confirm|again)(?:=\{?|: )[^\n]*/g;
const TITLE = /[A-Z][a-z]+(?: [A-Za-z][a-z]*)* [A-Z][a-z]+(?: [A-Z][a-z]+)*/g;

test('acts are written in sentence case', () => {
  const files = globSync('**/*.tsx', { cwd: sources, exclude: ['**/*.test.tsx'] });
  const acts = files.flatMap((path) => readFileSync(sources + path, 'utf8').match(ACTS) ?? []);
  expect(acts.length).toBeGreaterThan(100);
  const found = acts.flatMap((act) => act.replace(NAMES, '').match(TITLE) ?? []);
  expect([...new Set(found)].sort()).toEqual(TITLE_CASE);
});
