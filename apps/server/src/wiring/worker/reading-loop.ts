import type { Config } from '../../config.ts';
import { startAccountReader } from '../../features/exchanges/reading/account-reader.ts';
import type { ExchangeGateway } from '../../integrations/exchanges/gateway.ts';
import { listen } from '../../platform/db/connection/listen.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import type { WorkLoop } from '../../platform/work/work-loop.ts';

/** An account whose worker crashed is due again after this long. */
const LEASE_MS = 20_000;
/** Concurrent reads of one exchange. */
const ACCOUNTS_AT_ONCE = 24;

/** Reads accounts. A request to read one wakes it by a channel of its own. */
export function startReadingLoop({
  config,
  directUrl,
  db,
  log,
  keyring,
  gateway,
}: {
  config: Pick<Config, 'readingEveryMs'>;
  directUrl: string;
  db: Database;
  log: Logger;
  keyring: Keyring;
  gateway: ExchangeGateway;
}): WorkLoop {
  const reader = startAccountReader({
    db,
    gateway,
    keyring,
    log,
    now: Date.now,
    everyMs: config.readingEveryMs,
    leaseMs: LEASE_MS,
    atOnce: ACCOUNTS_AT_ONCE,
  });
  const requests = listen({
    url: directUrl,
    channel: 'copydesk_reading',
    applicationName: 'copydesk-reading',
    log,
    onNews: reader.wake,
  });
  return {
    wake: reader.wake,
    async stop() {
      await requests.close();
      await reader.stop();
    },
  };
}
