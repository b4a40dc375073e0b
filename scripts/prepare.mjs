// Runs before `npm start` and `npm test`, and with `production` where an installation is made, on the
// machine's own Node and before anything is installed: plain JavaScript without dependencies. Returns quickly
// when there is nothing to do.

import { provideChromium } from './prepare/chromium.mjs';
import { keepCompilerOfDocuments } from './prepare/compiler-of-documents.mjs';
import { buildConsole } from './prepare/console-build.mjs';
import { installDependencies } from './prepare/dependencies.mjs';
import { alone } from './prepare/one-at-a-time.mjs';
import { PreparationError } from './prepare/preparation-error.mjs';
import { requireVersions } from './prepare/required-versions.mjs';

const purpose = process.argv[2] ?? 'install';

try {
  requireVersions();
  await alone(async () => {
    await installDependencies();
    if (purpose !== 'install') await buildConsole(purpose === 'production' ? 'production' : 'demo');
    if (purpose === 'production') keepCompilerOfDocuments();
    if (purpose === 'test') await provideChromium();
  });
} catch (error) {
  if (!(error instanceof PreparationError)) throw error;
  console.error(`\n${error.message}\n`);
  process.exitCode = 1;
}
