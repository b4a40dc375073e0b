import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('.', import.meta.url));
const sources = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.tsx?$|^testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));

/**
 * A format that is called as a child of JSX or as the cell of a table, where its component belongs. Texts, such as titles
 * and sentences of dialogs, are strings, and have the format itself.
 */
const child = (formats: string) =>
  new RegExp(`(?<![$=])\\{(?:${formats})\\(|\\bcell: [^>]*=> (?:${formats})\\(`);

/** What no source of the console contains, and what stands there instead. */
const REFUSED: readonly { what: string; pattern: RegExp; within?: RegExp }[] = [
  {
    // `left-1/2` with a translation centres, in both directions of writing.
    what: 'a physical direction (start and end, ms and me follow the direction of writing)',
    pattern:
      /(?<=["'` :!])-?(?:m[lr]|p[lr]|left|right|border-[lr]|rounded-[lr]|rounded-[tb][lr])-(?!1\/2)[\w[.]+(?=["'` !])|(?<=["'` :])(?:text-(?:left|right)|border-[lr])(?=["'` !])/,
  },
  {
    what: 'toLocale...String (lib/format, whose time zone and locale are known)',
    pattern: /\.toLocale\w*String\(/,
  },
  {
    what: 'a format of its own (lib/format, which follows its reader)',
    pattern:
      /new Intl\.(?:Number|DateTime|RelativeTime)Format\(|\bformat\w+[^}]*\} from '@copydesk\/domain\/(?:money|trading)'/,
    within: /^(?!lib\/format\/)/,
  },
  {
    what: 'a time of its own (When, which is whole when pointed at)',
    pattern: new RegExp(`<time\\b|${child('readTime|momentWords|relativeTime').source}`),
    within: /^(?!ui\/figures\/when\.tsx)/,
  },
  {
    // The first list is the one that everybody waits for: its sums have no decimals to show elsewhere.
    what: 'an amount of its own (Money, which is whole when pointed at and copied)',
    pattern: child('usdt|formatUsdt|exactUsdt|askedUsdt|formatUsd|formatWholeUsd|flooredUsd|flooredTo2'),
    within: /^(?!ui\/figures\/money\.tsx|features\/traders\/[^/]*\.tsx)/,
  },
  {
    what: 'a percentage of its own (Percentage)',
    pattern: child('percentWords|shownPercentage|formatSignedPercent'),
    within: /^(?!ui\/figures\/percentage\.tsx)/,
  },
  {
    what: 'a colour of its own (app.css has them, for both themes)',
    pattern: /["'`[]#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})["'`\]]/i,
  },
];

// Brand colours, the same in both themes.
const EXEMPT = ['ui/layout/wordmark.tsx'];

test.each(REFUSED)('no source has $what', ({ pattern, within = /^/ }) => {
  expect(sources.length).toBeGreaterThan(300);
  const found = sources
    .filter(({ path }) => within.test(path) && !EXEMPT.includes(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});
