import { type DemoToken, findFreePort, openDemoToken, startChain } from '@copydesk/simulators/chain';
import { createTestClient, encodeAbiParameters, http, keccak256, numberToHex, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';

const owner = privateKeyToAccount(`0x${'1'.repeat(64)}`);
/** Storage slot of the token's balances: its second variable. */
const BALANCES_SLOT = 1n;
/** How far the final block is behind the latest: see `startChain`. */
const UNTIL_FINAL = 5;

/** A local chain with a token, and a payer of it. */
export async function createPayingChain() {
  const { url, stop } = await startChain({ port: await findFreePort(), blockSeconds: null, stateFile: null });
  const token: DemoToken = await openDemoToken(url, owner);
  const chain = createTestClient({ chain: bsc, transport: http(url), mode: 'anvil' }).extend(publicActions);
  return {
    url,
    token,
    stop,
    mine: (blocks: number) => chain.mine({ blocks }),
    /** Makes all existing blocks final. */
    finalize: () => chain.mine({ blocks: UNTIL_FINAL }),
    giveCoin: (address: string, wei: bigint) =>
      chain.setBalance({ address: address as `0x${string}`, value: wei }),
    /** Sets an address's token balance, without a transfer. */
    setTokens: (address: string, units: bigint) =>
      chain.setStorageAt({
        address: token.address,
        index: keccak256(
          encodeAbiParameters(
            [{ type: 'address' }, { type: 'uint256' }],
            [address as `0x${string}`, BALANCES_SLOT],
          ),
        ),
        value: numberToHex(units, { size: 32 }),
      }),
    /** The chain itself, for operations that only tests need. */
    node: chain,
    /** Pays from an account that holds exactly the amount. */
    async pay(to: string, units: bigint, using: DemoToken = token): Promise<string> {
      const payer = privateKeyToAccount(generatePrivateKey());
      await using.mint(payer.address, units);
      return using.transfer(payer, to as `0x${string}`, units);
    },
    /** A token of another owner, on the same chain. */
    otherToken: () => openDemoToken(url, privateKeyToAccount(generatePrivateKey())),
  };
}
export type PayingChain = Awaited<ReturnType<typeof createPayingChain>>;
