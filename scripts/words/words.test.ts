import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = '{apps,packages,tests,bench,scripts}/**/*.{ts,tsx,mjs,sql}';

const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** The identifiers in the last section of docs/words.md. */
function retiredIdentifiers(): string[] {
  const [, list = ''] = read('docs/words.md').split('## Retired identifiers');
  return [...list.matchAll(/`(\w+)`/g)].map(([, word]) => word as string);
}

test('retired identifiers are gone from code, SQL and tests', () => {
  const retired = retiredIdentifiers();
  expect(retired.length).toBeGreaterThan(20);
  const pattern = new RegExp(`\\b(${retired.join('|')})\\b`);
  const files = globSync(SOURCES, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(String(path)),
  });
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
