import { erc20Abi, getAddress, type PublicClient } from 'viem';
import { createChainServers } from './chain-servers.ts';

/** What the chain knows of an address, as of one block. */
export interface AddressFacts {
  /** In lower case. */
  address: string;
  isContract: boolean;
  /** Whether it answers like a contract of tokens (ERC-20). */
  isToken: boolean;
  /** Transactions that it has sent; of a contract, those that it created. */
  nonce: bigint;
  coinWei: bigint;
  /** Of our token, base units. */
  tokenUnits: bigint;
}

/** Requests at the same time: servers count them by the second. */
const AT_ONCE = 5;

/**
 * Reads addresses, all as of the same block, from the first server that answers for all of them.
 * @returns reads addresses in lower case; throws when no server answers
 */
export function createAddressReader({
  rpcUrls,
  timeoutMs,
  chainId,
  tokenAddress,
}: {
  rpcUrls: readonly string[];
  timeoutMs: number;
  /** Answers from servers of another chain are ignored. */
  chainId: number;
  tokenAddress: string;
}): (addresses: readonly string[]) => Promise<{ blockNumber: bigint; facts: AddressFacts[] }> {
  const servers = createChainServers({ rpcUrls, timeoutMs, chainId });
  return (addresses) =>
    servers.ask(async (server) => {
      const blockNumber = await server.getBlockNumber({ cacheTime: 0 });
      const facts: AddressFacts[] = [];
      for (let at = 0; at < addresses.length; at += AT_ONCE)
        facts.push(
          ...(await Promise.all(
            addresses
              .slice(at, at + AT_ONCE)
              .map((address) => readAddress(server, { address, tokenAddress, blockNumber })),
          )),
        );
      return { blockNumber, facts };
    });
}

interface Place {
  address: string;
  tokenAddress: string;
  blockNumber: bigint;
}

async function readAddress(
  server: PublicClient,
  { address: lowerCase, tokenAddress, blockNumber }: Place,
): Promise<AddressFacts> {
  const address = getAddress(lowerCase);
  const [code, nonce, coinWei, tokenUnits] = await Promise.all([
    server.getCode({ address, blockNumber }),
    server.getTransactionCount({ address, blockNumber }),
    server.getBalance({ address, blockNumber }),
    server.readContract({
      address: getAddress(tokenAddress),
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address],
      blockNumber,
    }),
  ]);
  // Accounts that delegate to a contract (EIP-7702) keep their key.
  const isContract = code !== undefined && code !== '0x' && !code.startsWith('0xef0100');
  const isToken = isContract && (await isTokenContract(server, { address, tokenAddress, blockNumber }));
  return { address: lowerCase, isContract, isToken, nonce: BigInt(nonce), coinWei, tokenUnits };
}

/** Wallets answer calls that they do not know with nothing, or refuse them. */
async function isTokenContract(
  server: PublicClient,
  { address: given, blockNumber }: Place,
): Promise<boolean> {
  const asked = { address: getAddress(given), abi: erc20Abi, blockNumber } as const;
  const answers = await Promise.allSettled([
    server.readContract({ ...asked, functionName: 'totalSupply' }),
    server.readContract({ ...asked, functionName: 'decimals' }),
  ]);
  return answers.every(({ status }) => status === 'fulfilled');
}
