import { readExchangeSecrets } from '../config.ts';
import {
  EXCHANGE_USAGE,
  type ExchangeCommand,
  parseExchangeCommand,
} from '../integrations/exchanges/command-line.ts';
import { createExchangeGateway } from '../integrations/exchanges/create-gateway.ts';
import { type ClosedPosition, GatewayError } from '../integrations/exchanges/gateway.ts';
import { createSystemClock } from '../integrations/exchanges/limits/clock.ts';

const INTERACTIVE = { priority: 'interactive' } as const;

async function read({ command, credentials, settings, range }: ExchangeCommand): Promise<unknown> {
  // While a request waits for the exchange's limits, only a timer keeps the program running.
  const clock = createSystemClock(Date.now, { keepsProcess: true });
  const gateway = createExchangeGateway(settings, { now: Date.now, clock });
  const account = { key: 'command line', credentials };
  try {
    if (command === 'verify') return await gateway.verify(credentials, INTERACTIVE);
    if (command === 'balances') return await gateway.equity(account, INTERACTIVE);
    if (command === 'positions') return await gateway.openPositions(account, INTERACTIVE);
    if (command === 'key-info') return await gateway.keyInfo(account, INTERACTIVE);
    const items: ClosedPosition[] = [];
    let coverageFrom = 0;
    let cursor: string | null | undefined;
    do {
      const page = await gateway.closedPositions(
        account,
        { ...range, ...(cursor && { cursor }) },
        INTERACTIVE,
      );
      items.push(...page.items);
      ({ nextCursor: cursor, coverageFrom } = page);
    } while (cursor !== null);
    return { items, coverageFrom };
  } finally {
    await gateway.close();
  }
}

const command = parseExchangeCommand(process.argv.slice(2), readExchangeSecrets(), Date.now());
if (command === null) {
  console.error(EXCHANGE_USAGE);
  process.exitCode = 2;
} else {
  try {
    console.log(JSON.stringify(await read(command), null, 2));
  } catch (error) {
    const { code, venueCode, isRetryable, retryAfterMs } =
      error instanceof GatewayError ? error : new GatewayError('bad_response');
    console.log(JSON.stringify({ error: { code, venueCode, isRetryable, retryAfterMs } }, null, 2));
    process.exitCode = 1;
  }
}
