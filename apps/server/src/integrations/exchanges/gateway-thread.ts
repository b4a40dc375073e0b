import { parentPort, workerData } from 'node:worker_threads';
import { createExchangeGateway } from './create-gateway.ts';
import type { GatewaySettings } from './gateway.ts';
import {
  errorParts,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadNews,
  type ThreadOrder,
  type ThreadRequest,
} from './thread-protocol.ts';

// The other end of createThreadedGateway. Nothing is logged here: every message holds credentials.
const gateway = createExchangeGateway(workerData as GatewaySettings, {
  now: Date.now,
  onNotice: (notice) => parentPort?.postMessage({ notice } satisfies ThreadNews),
});

type Method = (...args: unknown[]) => Promise<unknown>;

function methodOf(call: ThreadCall): Method {
  const [part, method] = call.split('.');
  const methods = (method === undefined ? gateway : gateway.pools) as unknown as Record<string, Method>;
  return methods[method ?? part ?? ''] as Method;
}

async function answer({ id, call, args }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    return { id, value: await methodOf(call)(...args) };
  } catch (error) {
    return { id, error: errorParts(error) };
  }
}

parentPort?.on('message', (message: ThreadRequest | ThreadOrder) => {
  if ('forget' in message) gateway.forget(message.forget);
  else void answer(message).then((reply) => parentPort?.postMessage(reply));
});
