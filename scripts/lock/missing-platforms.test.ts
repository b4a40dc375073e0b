import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { missingPlatforms } from './missing-platforms.ts';

const lock = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../package-lock.json', import.meta.url)), 'utf8'),
);

test('the lock file has the packages of every platform, so that `npm ci` takes it', () => {
  expect(missingPlatforms(lock).map(({ path }) => path)).toEqual([]);
});

test('a missing package is described by its name', () => {
  const packages = {
    '': {},
    'node_modules/tool': {
      version: '1.2.3',
      dev: true,
      optionalDependencies: {
        '@tool/cli-linux-arm64-musl': '1.2.3',
        '@tool/cli-darwin-amd64': '1.2.3',
        '@tool/cli-linux-x64-gnu': '1.2.3',
        '@tool/own': '1.0.0',
      },
    },
    'node_modules/@tool/cli-linux-x64-gnu': { version: '1.2.3' },
    'node_modules/tool/node_modules/@tool/own': { version: '1.0.0' },
  };
  expect(missingPlatforms({ packages })).toEqual([
    {
      path: 'node_modules/@tool/cli-linux-arm64-musl',
      entry: { version: '1.2.3', cpu: ['arm64'], libc: ['musl'], optional: true, os: ['linux'], dev: true },
    },
    {
      path: 'node_modules/@tool/cli-darwin-amd64',
      entry: { version: '1.2.3', cpu: ['x64'], optional: true, os: ['darwin'], dev: true },
    },
  ]);
});

test.each([
  ['@tool/cli-linux-x64', '^1.0.0', 'is not one version'],
  ['fsevents', '2.3.3', 'does not say its platform'],
])('%s %s is refused', (name, version, problem) => {
  const packages = { 'node_modules/tool': { optionalDependencies: { [name]: version } } };
  expect(() => missingPlatforms({ packages })).toThrow(problem);
});
