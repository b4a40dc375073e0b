import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('.', import.meta.url));
const sources = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.tsx?$|^testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));

/** What no source of the console contains, and what stands there instead. */
const REFUSED = [
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
    what: 'a colour of its own (app.css has them, for both themes)',
    pattern: /["'`[]#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})["'`\]]/i,
  },
];

// Brand colours, the same in both themes.
const EXEMPT = ['ui/layout/wordmark.tsx'];

test.each(REFUSED)('no source has $what', ({ pattern }) => {
  expect(sources.length).toBeGreaterThan(300);
  const found = sources
    .filter(({ path }) => !EXEMPT.includes(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});
