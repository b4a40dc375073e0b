import { appendFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** The notices that licences ask for, beside the code that they are about. */
export const THIRD_PARTY = 'third-party.md';

/** Packages that reach the build through the style sheet: Vite lists those of scripts only. */
const PACKAGES = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono', 'tailwindcss'];

const require = createRequire(import.meta.url);

/** Adds the packages behind the style sheet to the notices. */
export function thirdPartyStyles(): Plugin {
  return {
    name: 'third-party-styles',
    apply: 'build',
    writeBundle: {
      order: 'post',
      handler({ dir = '' }) {
        appendFileSync(join(dir, THIRD_PARTY), PACKAGES.map(describe).join(''));
      },
    },
  };
}

function describe(name: string): string {
  const manifest = require.resolve(`${name}/package.json`);
  const { version, license } = JSON.parse(readFileSync(manifest, 'utf8'));
  const text = readFileSync(join(dirname(manifest), 'LICENSE'), 'utf8').trim();
  return `\n## ${name} - ${version} (${license})\n\n${text}\n`;
}
