import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('.', import.meta.url));
const sources = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.tsx?$|^testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));

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
    pattern: /<time\b|(?<![$=])\{(?:readTime|momentWords|relativeTime)\(/,
    within: /^(?!ui\/figures\/when\.tsx)/,
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
