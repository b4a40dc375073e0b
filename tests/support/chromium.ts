import { existsSync, readFileSync } from 'node:fs';

/** Noted by scripts/prepare.mjs, which `npm test` runs first. */
const NOTE = new URL('../../.cache/chromium-path', import.meta.url);

/**
 * In every window the suggestions under the address bar are web pages of their own, which tests never see and which
 * cost as much time as our page.
 */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

/** The features that Playwright disables itself: Chromium reads only the last of two lists. */
const BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Launch options of Chromium for tests and benchmarks: without a sandbox, and without external requests. */
export const chromiumLaunch = {
  executablePath: [
    process.env.CHROMIUM_PATH,
    existsSync(NOTE) ? readFileSync(NOTE, 'utf8').trim() : undefined,
    '/usr/bin/chromium-headless-shell',
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
    `--disable-features=${[...BY_PLAYWRIGHT, ...ADDRESS_BAR].join()}`,
  ],
};
