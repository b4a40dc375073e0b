import { parentPort, workerData } from 'node:worker_threads';
import { createExchangeGateway } from './create-gateway.ts';
import type { GatewaySettings } from './gateway.ts';
import { errorParts, type ThreadAnswer, type ThreadOrder, type ThreadRequest } from './thread-protocol.ts';

// The other end of createThreadedGateway. Nothing is logged here: every message holds credentials.
const gateway = createExchangeGateway(workerData as GatewaySettings, { now: Date.now });

async function answer({ id, method, args }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    const read = gateway[method] as (...all: unknown[]) => Promise<unknown>;
    return { id, value: await read(...args) };
  } catch (error) {
    return { id, error: errorParts(error) };
  }
}

parentPort?.on('message', (message: ThreadRequest | ThreadOrder) => {
  if ('forget' in message) gateway.forget(message.forget);
  else void answer(message).then((reply) => parentPort?.postMessage(reply));
});
