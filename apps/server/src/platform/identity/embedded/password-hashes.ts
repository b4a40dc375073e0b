import { hashPassword, verifyPassword } from 'better-auth/crypto';
import pLimit from 'p-limit';

/**
 * One hash takes 32 MB for some 60 ms (scrypt): a burst of sign-ins must neither fill the memory nor take every thread.
 */
const inTurn = pLimit(2);

export interface PasswordHashes {
  hash(password: string): Promise<string>;
  verify(attempt: { hash: string; password: string }): Promise<boolean>;
}

/** The library's own password hashing, two at once. */
export const passwordHashes: PasswordHashes = {
  hash: (password) => inTurn(() => hashPassword(password)),
  verify: (attempt) => inTurn(() => verifyPassword(attempt)),
};
