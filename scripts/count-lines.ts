import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSmallFiles } from './boundaries/small-files.ts';

// `node scripts/count-lines.ts`: lines and files of source, tests and generated code by folder, and files a
// thousand lines of source. `--one-importer` lists the small files of source that one file beside them
// imports.

const projectDir = fileURLToPath(new URL('..', import.meta.url));
const CODE = /\.(ts|tsx|mjs|sql|css|html)$/;
const GENERATED = /^apps\/server\/(schema\/|src\/platform\/db\/(schema|catalogue)\.ts)/;
const TEST = /^(tests|bench)\/|\/src\/testing\/|\.(test|spec|chaos)\.tsx?$/;
/** Migrations are history: reading them is not needed to know the product. */
const MIGRATION = /^apps\/server\/migrations\//;

const kindOf = (file: string) =>
  GENERATED.test(file)
    ? 'generated'
    : TEST.test(file)
      ? 'tests'
      : MIGRATION.test(file)
        ? 'migrations'
        : 'source';
const folderOf = (file: string) =>
  file
    .split('/')
    .slice(0, /^(apps|packages)\//.test(file) ? 2 : 1)
    .join('/');
const linesOf = (file: string) => readFileSync(join(projectDir, file), 'utf8').split('\n').length - 1;

const files = execFileSync('git', ['ls-files'], { cwd: projectDir, encoding: 'utf8' })
  .split('\n')
  .filter((file) => CODE.test(file))
  .map((file) => ({ file, kind: kindOf(file), lines: linesOf(file) }));

if (process.argv.includes('--one-importer')) listOneImporter();
else countByFolder();

function countByFolder(): void {
  const rows: Record<string, Record<string, number>> = {};
  for (const { file, kind, lines } of files)
    for (const folder of [folderOf(file), 'all']) {
      rows[folder] ??= { source: 0, files: 0, tests: 0, migrations: 0, generated: 0 };
      const row = rows[folder] as Record<string, number>;
      row[kind] = (row[kind] ?? 0) + lines;
      if (kind === 'source') row.files = (row.files ?? 0) + 1;
    }
  for (const row of Object.values(rows))
    row['files a thousand lines'] =
      Math.round(((row.files ?? 0) / Math.max(1, row.source ?? 0)) * 10_000) / 10;
  console.table(rows);
}

function listOneImporter(): void {
  const modules = files.filter(({ file, kind }) => kind === 'source' && /\.tsx?$/.test(file));
  const found = findSmallFiles(
    projectDir,
    modules.map(({ file }) => file),
  );
  for (const { file, lines, host } of found) console.log(`${lines}\t${file}\t${host}`);
  console.log(`${found.length} small files with one importer, which stands beside them`);
}
