import { existsSync, readFileSync } from 'node:fs';

/** Noted by scripts/prepare.mjs, which `npm test` runs first. */
const NOTE = new URL('../../.cache/chromium-path', import.meta.url);

/** How Chromium is started, for tests and benchmarks: without a sandbox, and without calls to the outside. */
export const chromiumLaunch = {
  executablePath: [
    process.env.CHROMIUM_PATH,
    existsSync(NOTE) ? readFileSync(NOTE, 'utf8').trim() : undefined,
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
  ].find((path) => path && existsSync(path)),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
