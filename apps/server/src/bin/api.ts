import { startApi } from '../api.ts';
import { readConfig } from '../config.ts';
import { createLog } from '../platform/log/log.ts';
import { onShutdown } from '../platform/process/shutdown.ts';

const config = readConfig();
const log = createLog(config.logLevel, 'api');
try {
  const { stop } = await startApi(config, log);
  onShutdown(log, stop);
} catch (error) {
  log.fatal({ err: error }, 'the API did not start');
  process.exit(1);
}
