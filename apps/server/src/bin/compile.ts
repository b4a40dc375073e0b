import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { runCommand } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';

// bin/copydesk compile [user ...]: makes the compile cache of API and worker, as the owner of the programs, when they are
// installed. Both only read it: what one program may write there, the other would run. Node looks for a folder with the
// number of its user, so each user gets a link to the one that is made here.
await runCommand(async () => {
  const users = process.argv.slice(2);
  const numbers = users.map(numberOf);
  const made = getCompileCacheDir();
  if (!made)
    throw new StartError('The compile cache cannot be written. Run this as the owner of the programs.');
  await import('../api.ts');
  await import('../worker.ts');
  flushCompileCache();
  const own = `-${process.getuid?.()}`;
  for (const number of numbers) {
    const link = `${made.slice(0, -own.length)}-${number}`;
    if (!existsSync(link)) symlinkSync(made.slice(made.lastIndexOf('/') + 1), link);
  }
  console.log(`Compiled into ${made}${users.length > 0 ? `, for ${users.join(', ')}` : ''}.`);
});

function numberOf(user: string): string {
  if (/^\d+$/.test(user)) return user;
  try {
    return execFileSync('id', ['-u', '--', user], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    throw new StartError(`There is no user "${user}" on this machine.`);
  }
}
