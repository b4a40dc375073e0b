import { contract, type Entry } from '@copydesk/contract';
import { startApi } from '../../apps/server/src/api.ts';
import { readConfig, readServiceManager } from '../../apps/server/src/config.ts';
import { startProcess } from '../../apps/server/src/platform/process/start-process.ts';

// The program of the API without the rates of single calls: an attack would be refused before its input is read.
for (const entry of Object.values(contract) as Entry[]) delete entry.perMinute;
await startProcess({
  name: 'api',
  manager: readServiceManager(),
  readConfig,
  start: async (config, log) => (await startApi(config, log)).stop,
});
