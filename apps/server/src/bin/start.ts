import { readConfig } from '../config.ts';
import { launch } from '../launcher/launch.ts';

// `npm start | head` closes our output while we run; an orderly stop matters more than the lines.
process.stdout.on('error', () => {});

try {
  process.exitCode = await launch(readConfig(), process.env, console.log);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
process.exit();
