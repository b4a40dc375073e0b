import { existsSync, readFileSync } from 'node:fs';

/** Noted by scripts/prepare.mjs, which `npm test` runs first. */
const NOTE = new URL('../../.cache/chromium-path', import.meta.url);

/**
 * The suggestions under the address bar are web pages of their own in every window, which nobody sees in tests and
 * which cost as much time as our page.
 */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

/** What Playwright switches off itself: of two lists, Chromium reads the last one only. */
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

/** How Chromium is started, for tests and benchmarks: without a sandbox, and without calls to the outside. */
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
