import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectDir = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const cacheDir = join(projectDir, '.cache');
/** The Node that the project depends on; the machine's own may be older. */
export const projectNode = join(projectDir, 'node_modules', 'node', 'bin', 'node');
