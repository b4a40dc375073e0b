import { fileURLToPath } from 'node:url';

/** Part of the environment of a child process: it loads compiled modules, in half the processor time. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../.cache/compiled-modules', import.meta.url)),
};
