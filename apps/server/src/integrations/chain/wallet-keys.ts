import { HDKey } from '@scure/bip32';
import { bytesToHex, type Hash, type Hex, keccak256 } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { callOf, type Fee, type Transfer } from './chain-sender.ts';

export type WalletRole = keyof typeof BRANCHES;

/** A wallet's owner, and the place of its key below the seed. */
export interface WalletPlace {
  role: WalletRole;
  keyIndex: number;
}

/** A transaction to be signed: a transfer and its fee limits. */
export interface SigningTerms {
  chainId: number;
  nonce: number;
  fee: Fee;
  gasLimit: bigint;
}

/** Signs for the wallets below one seed. */
export interface WalletKeys {
  /** The address of a wallet, in its EIP-55 form. */
  addressOf(place: WalletPlace): string;
  /** @returns signed bytes and their hash. The same terms give the same bytes. */
  sign(
    place: WalletPlace,
    transfer: Omit<Transfer, 'from'>,
    terms: SigningTerms,
  ): Promise<{ raw: Hex; hash: Hash }>;
}

/**
 * Account and branch of each role (BIP-44). The public key of the deposit account gives traders their addresses for
 * invoices, and a branch apart from these receives deposits into pools.
 */
const BRANCHES = {
  deposit: "0'/0",
  pool_deposit: "0'/1",
  community: "1'/0",
  gas: "2'/0",
  pool_proxy: "3'/0",
} as const;

/**
 * Keys at `m/44'/60'/account'/branch/index` (BIP-44, coin type 60 of SLIP-44), derived on demand.
 * @param seed BIP-32 seed, 16 to 64 bytes: it can spend everything. Only the worker has it.
 */
export function createWalletKeys(seed: Uint8Array): WalletKeys {
  const master = HDKey.fromMasterSeed(seed);
  const roots = new Map<WalletRole, HDKey>();
  const rootOf = (role: WalletRole) => {
    const root = roots.get(role) ?? master.derive(`m/44'/60'/${BRANCHES[role]}`);
    roots.set(role, root);
    return root;
  };
  const accountOf = ({ role, keyIndex }: WalletPlace): PrivateKeyAccount => {
    const { privateKey } = rootOf(role).deriveChild(keyIndex);
    if (!privateKey) throw new Error('a private key derives private keys');
    return privateKeyToAccount(bytesToHex(privateKey));
  };
  const addresses = new Map<string, string>();
  return {
    addressOf(place) {
      const name = `${place.role} ${place.keyIndex}`;
      const address = addresses.get(name) ?? accountOf(place).address;
      addresses.set(name, address);
      return address;
    },
    async sign(place, transfer, { chainId, nonce, fee, gasLimit }) {
      const raw = await accountOf(place).signTransaction({
        type: 'eip1559',
        chainId,
        nonce,
        gas: gasLimit,
        maxFeePerGas: fee.maxFee,
        maxPriorityFeePerGas: fee.priorityFee,
        ...callOf(transfer),
      });
      return { raw, hash: keccak256(raw) };
    },
  };
}
