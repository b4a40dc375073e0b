import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readModule } from '../../../../scripts/boundaries/read-module.ts';
import { resolveImport } from '../../../../scripts/boundaries/resolve-import.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Every program of bin/copydesk but the one that fills a demo world. */
const PROGRAMS = /copydesk ([a-z|-]+) \[arguments\]/
  .exec(read('bin/copydesk'))?.[1]
  ?.split('|')
  .filter((name) => name !== 'seed');

/** Whether a module is of the demo world. */
const isDemo = (path: string) => /^apps\/(simulators|server\/src\/demo)\//.test(path);

/** What a module loads. Programs share most of theirs, and each is parsed once. */
const imported = new Map<string, readonly string[]>();
function importsOf(from: string): readonly string[] {
  let loads = imported.get(from);
  if (!loads) {
    loads = readModule(join(root, from)).imports.flatMap(
      ({ specifier, isTypeOnly }) => (isTypeOnly ? null : resolveImport(specifier, from, root)) ?? [],
    );
    imported.set(from, loads);
  }
  return loads;
}

/** The modules that a program loads, each with the one that asked for it first; imports for types load nothing. */
function loadedBy(entry: string): Map<string, string | null> {
  const found = new Map<string, string | null>([[entry, null]]);
  for (const [from] of found) {
    if (!/^(apps|packages)\//.test(from) || !from.endsWith('.ts')) continue;
    for (const to of importsOf(from)) if (!found.has(to)) found.set(to, from);
  }
  return found;
}

test('no program of a production can reach the demo world or the simulators, not even later', () => {
  expect(PROGRAMS).toEqual(
    expect.arrayContaining([
      'api',
      'worker',
      'migrate',
      'backup',
      'restore',
      'admin',
      'keys',
      'create-database',
    ]),
  );
  for (const program of PROGRAMS ?? []) {
    const loaded = loadedBy(`apps/server/src/bin/${program}.ts`);
    expect(loaded.size).toBeGreaterThan(5);
    const reached = [...loaded].filter(([path]) => isDemo(path)).map(([path, from]) => `${from} -> ${path}`);
    expect(reached, program).toEqual([]);
  }
  expect([...loadedBy('apps/server/src/bin/seed.ts').keys()].some(isDemo)).toBe(true);
}, 90_000);

test('npm start and seed load the demo world only once it is asked for', () => {
  const files = globSync('apps/server/src/{bin,launcher}/*.ts', { cwd: root }).filter(
    (path) => !/\.test\.|\/demo-world\.ts$/.test(path),
  );
  const lazy = files.filter((path) => /import\('[./a-z]*\/demo-world\.ts'\)/.test(read(path)));
  expect(lazy.sort()).toEqual([
    'apps/server/src/bin/seed.ts',
    'apps/server/src/launcher/prepare-database.ts',
  ]);
  for (const path of files) expect(read(path), path).not.toMatch(/from '.*\/(demo\/|demo-world).*'/);
});

test('the simulators are no dependency of the server, and the image has neither them nor the demo world', () => {
  const { dependencies, devDependencies } = JSON.parse(read('apps/server/package.json'));
  expect(dependencies).not.toHaveProperty('@copydesk/simulators');
  expect(devDependencies).toHaveProperty('@copydesk/simulators');
  const dockerfile = read('deploy/container/Dockerfile');
  expect(dockerfile).not.toMatch(/^COPY .*simulators/m);
  // Of the others some bring the tools of tests.
  for (const place of [
    'docs/operations/set-up.md',
    'docs/operations/upgrading.md',
    'deploy/container/Dockerfile',
  ])
    expect(read(place)).toContain(
      'npm ci --omit=dev --omit=optional --workspace=apps/server --include-workspace-root',
    );
  expect(dockerfile).toMatch(/rm -rf apps\/simulators .*apps\/server\/src\/demo/);
});

test('the console of an installation is built without the personas of the demo world', () => {
  const places = ['deploy/container/Dockerfile', 'docs/operations/set-up.md', 'docs/operations/upgrading.md'];
  for (const place of places)
    expect(read(place).match(/scripts\/prepare\.mjs \w+/g), place).toEqual([
      'scripts/prepare.mjs production',
    ]);
});

test('packages that a production leaves out are the tools of tests, builds and simulators', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
  };
  const isKept = (name: string) => {
    const { dev, optional, devOptional } = packages[`node_modules/${name}`] ?? { dev: true };
    return !dev && !optional && !devOptional;
  };
  expect(['vitest', 'vite', 'typescript', '@playwright/test', 'fast-check', 'solc'].filter(isKept)).toEqual(
    [],
  );
  const { dependencies } = JSON.parse(read('apps/server/package.json'));
  expect(Object.keys(dependencies).filter((name) => name.includes('embedded'))).toEqual([]);
});
