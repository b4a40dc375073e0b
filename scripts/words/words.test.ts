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

/** What the columns "Not" of docs/words.md have in backticks: words of which no identifier of the product may consist. */
function refusedWords(): string[] {
  const [rows = ''] = read('docs/words.md').split('## Where a specification');
  return rows.split('\n').flatMap((row) => {
    const not = row.trim().replace(/\|$/, '').split('|').at(-1) ?? '';
    return row.startsWith('|')
      ? [...not.matchAll(/`([a-z][a-z -]*)`/g)].map(([, word]) => word as string)
      : [];
  });
}

/** The words of which the identifiers of a file consist, alone and in pairs; texts and comments are left out. */
function wordsOf(source: string): Set<string> {
  const code = source
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, '');
  const words = (code.match(/[A-Za-z_$][\w$]*/g) ?? []).map((identifier) =>
    (identifier.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase()),
  );
  return new Set(
    words.flatMap((parts) => [...parts, ...parts.slice(1).map((word, at) => `${parts[at]} ${word}`)]),
  );
}

/** Options of libraries have the names that they have. */
const OF_LIBRARIES = ['apps/server/src/integrations/documents/document-process.ts: workspace'];

test('what a concept is not called, names nothing in the product', () => {
  const refused = refusedWords();
  expect(refused.length).toBeGreaterThan(20);
  const files = globSync('{apps/*/src,packages/*/src}/**/*.{ts,tsx}', { cwd: root });
  const found = files.flatMap((path) => {
    const words = wordsOf(read(path));
    return refused.filter((word) => words.has(word)).map((word) => `${path}: ${word}`);
  });
  expect(found.sort()).toEqual(OF_LIBRARIES);
});

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
