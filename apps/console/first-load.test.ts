import { gzipSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import config from './vite.config.ts';

// What is loaded before the list of traders shows. Whatever else a screen needs is loaded with that screen, and dialogs,
// charts, the arrangement of columns and explanations when they are asked for.

const PACKAGES = [
  '@tanstack/history',
  '@tanstack/query-core',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-store',
  '@tanstack/react-virtual',
  '@tanstack/router-core',
  '@tanstack/store',
  '@tanstack/virtual-core',
  'clsx',
  'get-nonce',
  'lucide-react',
  'react',
  'react-dom',
  'scheduler',
  'use-sync-external-store',
];

/** Bytes of all of it, compressed, and of what is our own. */
const MOST = { all: 151_000, own: 30_250 };

const chunks = new Map<string, Rolldown.OutputChunk>();
let files: Rolldown.OutputChunk[];
beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'production');
  const collect: Plugin = {
    name: 'collect',
    generateBundle: (_, bundle) => {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') chunks.set(file.fileName, file);
    },
  };
  await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    plugins: [...(config.plugins ?? []).filter((plugin) => !isWriter(plugin)), collect],
    build: { ...config.build, write: false, license: false },
  });
  files = [...chunks.values()].filter(({ isEntry }) => isEntry).flatMap(loadedWith);
}, 60_000);

afterAll(() => void vi.unstubAllEnvs());

/** A file and all that it imports. */
function loadedWith({ fileName }: Rolldown.OutputChunk): Rolldown.OutputChunk[] {
  const needed = new Set([fileName]);
  for (const name of needed) for (const next of chunks.get(name)?.imports ?? []) needed.add(next);
  return [...needed].flatMap((name) => chunks.get(name) ?? []);
}

/** It appends to a file that is not written here. */
const isWriter = (plugin: unknown) => (plugin as { name?: string } | null)?.name === 'third-party-styles';

const modules = (file: Rolldown.OutputChunk) =>
  Object.entries(file.modules).flatMap(([id, { code }]) => (code ? [id] : []));
const bytes = (some: readonly Rolldown.OutputChunk[]) =>
  some.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);

test('only these packages are loaded before the first list', () => {
  const found = files.flatMap(modules).flatMap((id) => {
    const [, inside] = id.split(/node_modules[\\/](?!.*node_modules[\\/])/);
    if (inside === undefined) return [];
    const [scope = '', name = ''] = inside.split(/[\\/]/);
    return [scope.startsWith('@') ? `${scope}/${name}` : scope];
  });
  expect([...new Set(found)].sort()).toEqual(PACKAGES);
});

test('what is loaded before the first list stays as light as it is', () => {
  const own = files.filter((file) => modules(file).every((id) => !id.includes('node_modules')));
  expect(bytes(own)).toBeLessThan(MOST.own);
  expect(bytes(files)).toBeLessThan(MOST.all);
});

test('no file needs itself: its modules could run before those that they call', () => {
  const inCircles = [...chunks.values()].filter((file) =>
    loadedWith(file)
      .slice(1)
      .some(({ imports }) => imports.includes(file.fileName)),
  );
  expect(inCircles.map(({ fileName }) => fileName)).toEqual([]);
});
