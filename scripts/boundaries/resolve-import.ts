import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const CONSOLE_SOURCES = 'apps/console/src';

/**
 * The module behind an import: a path in the project, or `npm:name` and `node:name` for modules outside. Null when
 * there is no such file.
 */
export function resolveImport(specifier: string, importer: string, projectDir: string): string | null {
  const [bare = ''] = specifier.split('?');
  if (bare.startsWith('node:')) return bare;
  if (bare.startsWith('@copydesk/')) {
    const [workspace = '', entry = ''] = bare.slice(10).split('/');
    const inside = join(workspace, 'src', entry);
    return (
      findFile(join(projectDir, 'packages', inside), projectDir) ??
      findFile(join(projectDir, 'apps', inside), projectDir)
    );
  }
  if (bare.startsWith('@/')) return findFile(join(projectDir, CONSOLE_SOURCES, bare.slice(2)), projectDir);
  if (bare.startsWith('.')) return findFile(join(projectDir, dirname(importer), bare), projectDir);
  const [scope = '', name = ''] = bare.split('/');
  return `npm:${bare.startsWith('@') ? `${scope}/${name}` : scope}`;
}

function findFile(path: string, projectDir: string): string | null {
  const candidates = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map((ending) => path + ending);
  const found = candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
  return found === undefined ? null : relative(projectDir, found);
}
