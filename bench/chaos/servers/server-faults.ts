import { keccak256, parseTransaction } from 'viem';
import {
  type createFaultyRpc,
  laggingAt,
  type RpcAnswer,
  type RpcBehaviour,
  refusingRangesOver,
  withoutLogsOf,
} from '../../../tests/support/faulty-rpc.ts';

type Rpc = Awaited<ReturnType<typeof createFaultyRpc>>;

export interface ServerFault {
  name: string;
  begin(rpc: Rpc, world: { head(): number; elsewhere(): string }): void;
  /**
   * What a screen has to say while it lasts. Null: the worker gets around it, money does not wait for it, and
   * the screen has nothing to say.
   */
  saidAs: RegExp | null;
}

const refused = (message: string): RpcAnswer => ({ error: { code: -32_000, message } });
const isSend = (method: string) => method === 'eth_sendRawTransaction';
const sending =
  (answer: (raw: `0x${string}`) => RpcAnswer | null): RpcBehaviour =>
  async ({ method, params }, forward) =>
    (isSend(method) ? answer(params[0] as `0x${string}`) : null) ?? forward();

/** The least tip that the demanding server takes, wei. */
const LEAST_TIP = 3_000_000_000n;
/** About a minute of blocks: beyond what nodes behind one address differ by. */
const FAR_BEHIND = 60;

/** One after the other, each between a worker and its only server. */
export const SERVER_FAULTS: readonly ServerFault[] = [
  {
    name: 'stands still',
    begin: (rpc, { head }) => {
      const since = head();
      rpc.behave(laggingAt(() => since));
    },
    saidAs: /deposits are read \d+ s late/,
  },
  {
    name: 'is far behind',
    begin: (rpc, { head }) => rpc.behave(laggingAt(() => Math.max(1, head() - FAR_BEHIND))),
    saidAs: /deposits are read \d+ s late/,
  },
  {
    name: 'has no logs of new blocks',
    begin: (rpc, { head }) => {
      const since = head();
      rpc.behave(withoutLogsOf((block) => block > since));
    },
    saidAs: /unknown block|does not have/i,
  },
  {
    name: 'takes three requests at once',
    begin: (rpc) => rpc.limitBatches(3),
    saidAs: null,
  },
  {
    name: 'takes two blocks at once',
    begin: (rpc) =>
      rpc.behave(refusingRangesOver(2, (blocks) => refused(`exceed maximum block range: ${blocks}`))),
    saidAs: null,
  },
  {
    name: 'asks for a higher tip',
    begin: (rpc) =>
      rpc.behave(
        sending((raw) =>
          (parseTransaction(raw).maxPriorityFeePerGas ?? 0n) < LEAST_TIP
            ? refused('transaction underpriced: gas tip cap 0, minimum needed 3000000000')
            : null,
        ),
      ),
    saidAs: null,
  },
  {
    name: 'has a full pool',
    begin: (rpc) => rpc.behave(sending(() => refused('txpool is full'))),
    saidAs: /sends_refused|refused_pool_full/,
  },
  {
    name: 'takes transactions and drops them',
    begin: (rpc) =>
      rpc.behave(async ({ method, params }, forward) =>
        isSend(method) ? { result: keccak256(params[0] as `0x${string}`) } : forward(),
      ),
    // Coin for the fees is dropped first.
    saidAs: /not_final|waits_for_gas/,
  },
  {
    name: 'answers for another chain',
    begin: (rpc, { elsewhere }) => {
      const url = elsewhere();
      rpc.behave(async (call) => {
        if (call.method === 'eth_chainId') return { result: '0x61' };
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', ...call }),
        });
        return (await answer.json()) as RpcAnswer;
      });
    },
    saidAs: /is of chain 97/,
  },
  {
    name: 'does not answer',
    begin: (rpc) => rpc.behave(async () => ({ status: 503 })),
    saidAs: /chain_silent|service unavailable/i,
  },
];
