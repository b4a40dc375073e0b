import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PreparationError } from './preparation-error.mjs';
import { cacheDir, projectDir, projectNode } from './project.mjs';
import { lastLines, runQuietly } from './run-quietly.mjs';

const playwright = join(projectDir, 'node_modules', 'playwright-core');
const COMMON_PLACES = [
  // Chromium without a window: it needs half the time per page.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const DOWNLOAD_LIMIT_MS = 5 * 60_000;

/** Finds or installs a Chromium for the browser tests, and notes its path in .cache/chromium-path. */
export async function provideChromium() {
  const found = findChromium() ?? (await downloadChromium()) ?? (await installSystemChromium());
  if (!found) {
    throw new PreparationError(
      'The browser tests need Chromium, and none was found or could be installed.\n' +
        'Install one (on Debian or Ubuntu: apt-get install chromium) or name one: CHROMIUM_PATH=/path/to/chromium npm test',
    );
  }
  writeFileSync(join(cacheDir, 'chromium-path'), `${found}\n`);
}

function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named && !runs(named)) {
    throw new PreparationError(`CHROMIUM_PATH is ${named}, which is not a browser that can be started.`);
  }
  return [named, bundledPath(), ...COMMON_PLACES].find((path) => path && runs(path));
}

/** Also distinguishes a real browser from a stub that only asks to install another package. */
function runs(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function bundledPath() {
  const script = `console.log(require(${JSON.stringify(playwright)}).chromium.executablePath())`;
  return spawnSync(projectNode, ['-e', script], { encoding: 'utf8' }).stdout?.trim();
}

async function downloadChromium() {
  const { code } = await runQuietly(
    'Downloading Chromium',
    projectNode,
    [join(playwright, 'cli.js'), 'install', 'chromium'],
    {
      timeoutMs: DOWNLOAD_LIMIT_MS,
      env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
    },
  );
  return code === 0 ? findChromium() : undefined;
}

const install = (name) => `apt-get install -y --no-install-recommends ${name}`;

async function installSystemChromium() {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { code, output } = await runQuietly(
    'Installing Chromium with apt-get',
    'sh',
    ['-c', `apt-get update && (${install('chromium-headless-shell')} || ${install('chromium')})`],
    { timeoutMs: DOWNLOAD_LIMIT_MS, env },
  );
  if (code !== 0) console.error(lastLines(output, 5));
  return code === 0 ? findChromium() : undefined;
}
