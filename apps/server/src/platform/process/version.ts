import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of this checkout, as in CHANGELOG.md. */
export const VERSION: string = version;
