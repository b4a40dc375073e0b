import type { Config } from '../config.ts';
import type { Token, TransferReceiver } from '../core/chain/transfer-receiver.ts';
import { createDepositReceiver } from '../features/deposits/receive-deposits.ts';
import { bookPayments } from '../features/invoices/payments/payments.service.ts';
import { createPoolDepositReceiver } from '../features/pools/deposits/receive-pool-deposits.ts';
import { createProxyReceiver } from '../features/pools/proxy/receive-arrivals.ts';
import { type ChainReader, createChainReader } from '../integrations/chain/chain-reader.ts';
import type { Logger } from '../platform/observe/log.ts';
import { TOKEN_DECIMALS } from './chain-settings.ts';

/** Reads what arrives at our addresses, and who takes it. */
export interface ChainReading {
  chain: ChainReader;
  token: Token;
  blocksAtOnce: number;
  receivers: readonly TransferReceiver[];
}

/** The configured chain with every receiver. */
export function createChainReading({ chain }: Pick<Config, 'chain'>, log: Logger): ChainReading {
  return {
    chain: createChainReader({ ...chain, tokenDecimals: TOKEN_DECIMALS }),
    token: { chainId: chain.chainId, tokenAddress: chain.tokenAddress.toLowerCase() },
    blocksAtOnce: chain.blocksAtOnce,
    receivers: [
      createDepositReceiver({ log, now: () => new Date(), book: bookPayments }),
      createPoolDepositReceiver({ log }),
      createProxyReceiver({ log }),
    ],
  };
}
