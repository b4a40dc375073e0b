import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PreparationError } from './preparation-error.mjs';
import { projectDir } from './project.mjs';

/** Checks the versions of Node and of the calling npm against `engines` in package.json. */
export function requireVersions() {
  const { engines } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
  const npmVersion = /\bnpm\/(\d+\S*)/.exec(process.env.npm_config_user_agent ?? '')?.[1];
  check('Node', process.versions.node, engines.node);
  if (npmVersion) check('npm', npmVersion, engines.npm);
}

function check(name, found, range) {
  const wanted = Number(/\d+/.exec(range)[0]);
  if (Number.parseInt(found, 10) >= wanted) return;
  throw new PreparationError(`${name} ${wanted} or newer is needed, this is ${name} ${found}.`);
}
