import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALLOCATOR, NODE_FLAGS } from './memory-limits.ts';

test('bin/copydesk limits the memory of API and worker as npm start does', () => {
  const script = readFileSync(new URL('../../../../bin/copydesk', import.meta.url), 'utf8');
  for (const [variable, value] of Object.entries(ALLOCATOR))
    expect(script).toContain(`\n    ${variable}=${value}\n`);
  expect(script).toContain(`node" ${NODE_FLAGS.join(' ')} "$script"`);
  expect(script).toMatch(/\n {4}export NODE_COMPILE_CACHE MALLOC_ARENA_MAX MALLOC_MMAP_THRESHOLD_\n/);
});
