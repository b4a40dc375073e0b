import { fileURLToPath } from 'node:url';
import { checkBoundaries } from './boundaries/check-boundaries.ts';

const { offences, files, imports } = checkBoundaries(fileURLToPath(new URL('..', import.meta.url)));
for (const offence of offences) console.error(offence);
console.log(`${files} files, ${imports} imports, ${offences.length} offences`);
process.exitCode = offences.length === 0 ? 0 : 1;
