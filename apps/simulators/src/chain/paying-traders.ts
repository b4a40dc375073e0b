import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Outbox } from '../telegram/index.ts';
import { isOwnerChat } from '../world/index.ts';
import type { DemoToken } from './demo-token.ts';
import { planPayments, readDemand } from './paying-habits.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * Traders who pay on the chain after a message. They know only the messages sent to them, and nothing of the platform.
 */
export function startPayingTraders({
  outbox,
  token,
  otherToken,
}: {
  outbox: Pick<Outbox, 'list'>;
  token: DemoToken;
  /** The token of payments sent by mistake. */
  otherToken: () => Promise<DemoToken>;
}): { stop(): void } {
  const planned = new Set<NodeJS.Timeout>();
  let lastId = 0;
  // One at a time: all payments come from the same minting account.
  let queue = Promise.resolve();

  const pay = (to: Address, units: bigint, isRightToken: boolean) => {
    queue = queue
      .then(async () => {
        const payer = privateKeyToAccount(generatePrivateKey());
        const sent = isRightToken ? token : await otherToken();
        await sent.mint(payer.address, units);
        await sent.transfer(payer, to, units);
      })
      .catch((error: Error) => process.emitWarning(error));
  };

  const look = setInterval(() => {
    for (const message of outbox.list()) {
      if (message.message_id <= lastId) continue;
      lastId = message.message_id;
      const demand = isOwnerChat(message.chat_id) ? null : readDemand(message.text);
      if (!demand) continue;
      // A reminder of the same debt causes no further payment: the address and the amount identify it.
      const key = `${demand.address} ${demand.units}`;
      for (const { afterMs, units, isRightToken } of planPayments(key, demand.units)) {
        const timer = setTimeout(() => {
          planned.delete(timer);
          pay(demand.address, units, isRightToken);
        }, afterMs);
        planned.add(timer);
      }
    }
  }, LOOK_EVERY_MS);

  return {
    stop() {
      clearInterval(look);
      for (const timer of planned) clearTimeout(timer);
    },
  };
}
