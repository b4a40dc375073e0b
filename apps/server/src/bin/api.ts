import { startApi } from '../api.ts';
import { readConfig } from '../config.ts';
import { startProcess } from '../platform/process/start-process.ts';

await startProcess({
  name: 'api',
  readConfig,
  start: async (config, log) => (await startApi(config, log)).stop,
});
