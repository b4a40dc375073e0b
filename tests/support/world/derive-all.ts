import {
  type AddressDeriving,
  deriveAddresses,
} from '../../../apps/server/src/features/deposits/derived-addresses.ts';

/** Derives every address, as a worker with the seed does within minutes. */
export async function deriveAll(deps: AddressDeriving): Promise<void> {
  while ((await deriveAddresses(deps)) > 0);
}
