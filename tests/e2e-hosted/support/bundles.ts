import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The vendor's scripts for browsers, which its host serves. As dependencies they cannot be installed: one of theirs
 * (ox 0.14.67) is not in every registry. The packed files have everything in them.
 */
const PACKAGES = {
  'clerk-js': {
    version: '6.34.1',
    file: 'clerk-clerk-js-6.34.1.tgz',
    sha512: 'PcM/x9lzmDU5bQ8jaJjkWYncJbAYL5hlxHG3jkO4SLG39apLqfBuFCaRw27ptIkwRCTJnY+a6Nvml3gk8G1CZA==',
  },
  ui: {
    version: '1.36.0',
    file: 'clerk-ui-1.36.0.tgz',
    sha512: 'uI96zYCh5jISLOt1mdpIPy/Y31P0kwFxjUFOxLUwFfTHFmGUcRjbqN6bbb+75tdI2Bz6ARGws3rhspDer+xIfQ==',
  },
} as const;
export type Bundle = keyof typeof PACKAGES;

const CACHE = fileURLToPath(new URL('../../../.cache/clerk', import.meta.url));

/** The folders of the scripts, fetched once and compared with their checksums; null when the registry does not give them. */
export function prepareBundles(): Record<Bundle, string> | null {
  const folders = Object.entries(PACKAGES).flatMap(([name, { version, file, sha512 }]) => {
    const folder = join(CACHE, `${name}-${version}`);
    const isThere = existsSync(folder) || fetchPackage(`@clerk/${name}@${version}`, { file, sha512, folder });
    return isThere ? [[name, join(folder, 'package', 'dist')]] : [];
  });
  return folders.length === Object.keys(PACKAGES).length ? Object.fromEntries(folders) : null;
}

function fetchPackage(
  spec: string,
  { file, sha512, folder }: { file: string; sha512: string; folder: string },
): boolean {
  const unpacked = `${folder}.part`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  try {
    execFileSync('npm', ['pack', spec, '--pack-destination', unpacked, '--silent'], { stdio: 'ignore' });
  } catch {
    return false;
  }
  const packed = join(unpacked, file);
  const found = createHash('sha512').update(readFileSync(packed)).digest('base64');
  if (found !== sha512) throw new Error(`${spec} has another checksum than expected: ${found}`);
  execFileSync('tar', ['xzf', packed, '-C', unpacked]);
  renameSync(unpacked, folder);
  return true;
}
