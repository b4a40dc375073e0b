// `npm run lock`, after a change of dependencies: writes the packages of other platforms into package-lock.json that the
// registry in use does not have.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type LockFile, missingPlatforms } from './missing-platforms.ts';

const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const lock: LockFile = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingPlatforms(lock);
for (const { path, entry } of missing) lock.packages[path] = entry;
const byPath = Object.entries(lock.packages).sort(([one], [other]) => one.localeCompare(other, 'en'));
if (missing.length > 0)
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(byPath) }, null, 2)}\n`);
console.log(`${missing.length} packages of other platforms added`);
