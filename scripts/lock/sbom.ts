// `npm run sbom`: prints what an installation without development dependencies has, in CycloneDX, as `npm sbom` describes
// it. npm's own `--omit dev` leaves out every package that the root lists for development, and what it needs, although
// the server needs them too (96 of them with npm 11.19, fastify and pg among them): the lock file knows better.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installedPackages } from './licences.ts';
import type { LockFile } from './missing-platforms.ts';

interface Bom {
  metadata: { component: { name: string } };
  components: { name: string; 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const lock: LockFile & { name: string } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
const all: Bom = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);
const kept = new Set(installedPackages(lock).map(({ name, version }) => `${name}@${version}`));
const isKept = (ref: string) => ref.startsWith('@copydesk/') || ref.startsWith('copydesk@') || kept.has(ref);
// npm takes the name of the folder.
all.metadata.component.name = lock.name;
const bom = {
  ...all,
  components: all.components.filter((component) => isKept(component['bom-ref'])),
  dependencies: all.dependencies
    .filter(({ ref }) => isKept(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
