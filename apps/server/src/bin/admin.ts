import { runAdminCommand } from '../wiring/admin.ts';

process.exitCode = await runAdminCommand({
  args: process.argv.slice(2),
  print: console.log,
  complain: console.error,
});
