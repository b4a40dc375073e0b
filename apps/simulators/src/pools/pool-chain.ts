import {
  type Address,
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  getAbiItem,
  type Hash,
  type Hex,
  http,
  keccak256,
  parseEther,
} from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';

/** A token transfer to an address of the bank. */
export interface ArrivedTransfer {
  txId: Hash;
  logIndex: number;
  from: Address;
  to: Address;
  units: bigint;
  block: bigint;
}

/** The bank's side of a chain: it sees transfers to its addresses, and pays from one wallet. */
export interface PoolChain {
  token: Address;
  latestBlock(): Promise<bigint>;
  arrivals(addresses: readonly Address[], range: { from: bigint; to: bigint }): Promise<ArrivedTransfer[]>;
  /**
   * Whether the wallet can pay: what it lacks is collected from these addresses of the bank, as a bank does with its
   * customers' deposits.
   */
  canPay(units: bigint, addresses: readonly Address[]): Promise<boolean>;
  /** Signs a payment with the wallet's next nonce. It has to be sent before the next one is signed. */
  sign(to: Address, units: bigint): Promise<{ raw: Hex; txId: Hash }>;
  /** Sends signed bytes; a repeat does nothing. */
  send(raw: Hex): Promise<void>;
  /** Null: no block has it yet. */
  outcomeOf(txId: Hash): Promise<'success' | 'reverted' | null>;
}

const GAS = 120_000n;

/**
 * @param options.rpcUrl of a chain that `startChain` runs
 * @param options.hotWallet pays withdrawals; it needs tokens, and gets the coin for fees here
 */
export async function openPoolChain({
  rpcUrl,
  token,
  hotWallet,
}: {
  rpcUrl: string;
  token: Address;
  hotWallet: LocalAccount;
}): Promise<PoolChain> {
  const transport = http(rpcUrl);
  const client = createPublicClient({ chain: bsc, transport, cacheTime: 0 });
  const { address } = hotWallet;
  const bank = createTestClient({ chain: bsc, transport, mode: 'anvil' });
  await bank.setBalance({ address, value: parseEther('100') });
  const heldBy = (owner: Address) =>
    client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });

  /** Everything at an address of the bank goes to its wallet. The chain signs in place of the key. */
  async function collect(from: Address): Promise<void> {
    const units = await heldBy(from);
    if (units === 0n) return;
    await bank.setBalance({ address: from, value: parseEther('1') });
    await bank.impersonateAccount({ address: from });
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, units] });
    await client.request({
      // Of the node, for an account that it impersonates.
      method: 'eth_sendTransaction' as never,
      params: [{ from, to: token, data }] as never,
    });
  }

  return {
    token,
    latestBlock: () => client.getBlockNumber(),
    async arrivals(addresses, { from, to }) {
      const logs = await client.getLogs({
        address: token,
        event: getAbiItem({ abi: erc20Abi, name: 'Transfer' }),
        args: { to: [...addresses] },
        fromBlock: from,
        toBlock: to,
        strict: true,
      });
      return logs.map(({ transactionHash: txId, logIndex, blockNumber: block, args }) => ({
        txId,
        logIndex,
        block,
        from: args.from,
        to: args.to,
        units: args.value,
      }));
    },
    async canPay(units, addresses) {
      if ((await heldBy(address)) >= units) return true;
      for (const each of addresses) await collect(each);
      return (await heldBy(address)) >= units;
    },
    async sign(to, units) {
      const [nonce, gasPrice] = await Promise.all([
        client.getTransactionCount({ address, blockTag: 'pending' }),
        client.getGasPrice(),
      ]);
      const raw = await hotWallet.signTransaction({
        chainId: bsc.id,
        type: 'legacy',
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] }),
        nonce,
        gas: GAS,
        gasPrice: gasPrice * 2n,
      });
      return { raw, txId: keccak256(raw) };
    },
    async send(raw) {
      const txId = keccak256(raw);
      await client.sendRawTransaction({ serializedTransaction: raw }).catch(async (error: Error) => {
        // A repeat: the chain has it.
        if (!(await client.getTransaction({ hash: txId }).catch(() => null))) throw error;
      });
    },
    async outcomeOf(txId) {
      const receipt = await client.getTransactionReceipt({ hash: txId }).catch((error: Error) => {
        if (error.name === 'TransactionReceiptNotFoundError') return null;
        throw error;
      });
      return receipt?.status ?? null;
    },
  };
}
