import { startApi } from '../api.ts';
import { readApiConfig, readServiceManager } from '../config.ts';
import { startProcess } from '../platform/process/start-process.ts';
import { inspectOwnProgram, warnOfOwnProgram } from '../wiring/own-program.ts';

await startProcess({
  name: 'api',
  manager: readServiceManager(),
  readConfig: () => readApiConfig(),
  async start(config, log) {
    const { stop } = await startApi(config, log);
    warnOfOwnProgram(inspectOwnProgram({ dataDir: config.dataDir }), log);
    return stop;
  },
});
