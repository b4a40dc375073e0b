import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { LockFile } from './missing-platforms.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the bill of materials has every production dependency at its version, and nothing of development', () => {
  const { metadata, components } = JSON.parse(
    execFileSync(process.execPath, ['scripts/lock/sbom.ts'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }),
  );
  expect(metadata.component).toMatchObject({
    name: 'copydesk',
    'bom-ref': expect.stringMatching(/^copydesk@/),
  });
  const named = new Set<string>(components.map(({ purl }: { purl: string }) => decodeURIComponent(purl)));

  const { packages }: LockFile = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
  const places = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  const purls = (isDev: boolean) =>
    places
      .filter(([, { dev = false }]) => dev === isDev)
      .map(([path, { version }]) => `pkg:npm/${path.split('node_modules/').at(-1)}@${version}`);
  const production = purls(false);
  // The root has them for development as well, and npm's own --omit dev leaves them out.
  expect(production).toEqual(expect.arrayContaining([expect.stringMatching(/^pkg:npm\/fastify@/)]));
  expect(production.filter((purl) => !named.has(purl))).toEqual([]);
  const onlyForDevelopment = purls(true).filter((purl) => !production.includes(purl));
  expect(onlyForDevelopment).toEqual(expect.arrayContaining([expect.stringMatching(/^pkg:npm\/knip@/)]));
  expect(onlyForDevelopment.filter((purl) => named.has(purl))).toEqual([]);
});
