import { hashPassword, verifyPassword } from 'better-auth/crypto';
import pLimit from 'p-limit';

/**
 * One hash takes 32 MB for some 60 ms (scrypt): a burst of sign-ins must neither fill the memory nor take every thread.
 */
const inTurn = pLimit(2);

/** The library's own password hashing, two at once. */
export const passwordHashes = {
  hash: (password: string) => inTurn(() => hashPassword(password)),
  verify: (attempt: { hash: string; password: string }) => inTurn(() => verifyPassword(attempt)),
};
