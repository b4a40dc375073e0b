import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './project.mjs';

const SCOPE = '@myriaddreamin';
const kept = join(projectDir, 'apps/server/native');

/**
 * Keeps the compiler of documents that npm chose for this machine. It is an optional package, and an installation for
 * production is made without those: they would bring the tools of tests and builds. The process that writes documents
 * looks here where node_modules has none.
 */
export function keepCompilerOfDocuments() {
  const packages = join(projectDir, 'node_modules', SCOPE);
  if (!existsSync(packages)) return;
  rmSync(kept, { recursive: true, force: true });
  for (const name of readdirSync(packages))
    if (name.startsWith('typst-ts-node-compiler-'))
      cpSync(join(packages, name), join(kept, SCOPE, name), { recursive: true });
}
