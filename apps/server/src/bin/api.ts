import { startApi } from '../api.ts';
import { readApiConfig, readServiceManager } from '../config.ts';
import { startProcess } from '../platform/process/start-process.ts';

await startProcess({
  name: 'api',
  manager: readServiceManager(),
  readConfig: () => readApiConfig(),
  start: async (config, log) => (await startApi(config, log)).stop,
});
