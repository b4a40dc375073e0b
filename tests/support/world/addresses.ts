import { randomBytes } from 'node:crypto';
import { getAddress } from 'viem';

/** An address without an owner, in its EIP-55 form. */
export const newAddress = () => getAddress(`0x${randomBytes(20).toString('hex')}`);
