import { contract, type Entry } from '@copydesk/contract';

// The API without the rates of single calls: an attack would be refused before its input is read.
for (const entry of Object.values(contract) as Entry[]) delete entry.perMinute;
await import('../../apps/server/src/bin/api.ts');
