import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What may run in this process: files of the console have its folder, and those of the contract are values. */
const runsHere = (file: string) =>
  existsSync(`${root}apps/server/src/${file}`) ||
  (file.startsWith('domain/') && existsSync(`${root}packages/${file}`));

/** The files of the project of which a function ran meanwhile, from the folder that contains them. */
export async function passedFiles(run: () => Promise<unknown>): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const passed = result.filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
    );
    return new Set(
      passed.map(({ url }) =>
        url
          .replace(/^file:\/\//, '')
          .replace(root, '')
          .replace(/^apps\/server\/src\/|^packages\//, ''),
      ),
    );
  } finally {
    session.disconnect();
  }
}

/**
 * The files that a README names in a journey and that were not passed.
 * @param elsewhere files that run in another thread or process
 */
export function notPassed(
  { readme, journey }: { readme: string; journey: string },
  passed: ReadonlySet<string>,
  elsewhere: readonly string[] = [],
): string[] {
  const text = readFileSync(`${root}apps/server/src/features/${readme}/README.md`, 'utf8');
  const [, section = ''] = text.split(`## ${journey}\n`);
  const files = [...(section.split('\n## ')[0] ?? '').matchAll(/^\d+\. .*$/gm)]
    .flatMap(([line]) =>
      [...line.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.ts)`/g)].map(([, file]) => file as string),
    )
    .filter((file) => runsHere(file) && !elsewhere.includes(file));
  if (files.length < 5) throw new Error(`${readme}/README.md has no journey "${journey}"`);
  return files.filter((file) => !passed.has(file));
}
