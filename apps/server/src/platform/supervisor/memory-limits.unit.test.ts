import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALLOCATOR, NODE_FLAGS } from './memory-limits.ts';

test.each(['api', 'worker'])('npm run %s limits its memory as npm start does', (name) => {
  const { scripts } = JSON.parse(
    readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8'),
  );
  const settings = Object.entries(ALLOCATOR).map(([variable, value]) => `${variable}=${value}`);
  expect(scripts[name]).toBe(
    [
      ...settings,
      'NODE_COMPILE_CACHE=.cache/compiled-modules',
      'exec node',
      ...NODE_FLAGS,
      `apps/server/src/bin/${name}.ts`,
    ].join(' '),
  );
});
