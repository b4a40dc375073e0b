import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { type HostedDirectory, HostedError } from '../../../platform/identity/hosted/hosted-directory.ts';
import { findHostedId } from '../../../platform/identity/hosted/people.store.ts';
import { Refusal } from '../../../platform/refusal.ts';

/**
 * Removes the second factors of a person at the identity service too, after they were removed here.
 * @throws Refusal `unavailable`
 */
export async function removeHostedSecondFactor(
  { db, directory }: { db: Database; directory: Pick<HostedDirectory, 'removeSecondFactor'> },
  userId: string,
): Promise<void> {
  const hostedId = await db.read(WHOLE_SCOPE, (tx) => findHostedId(tx, userId));
  if (hostedId === null) return;
  try {
    await directory.removeSecondFactor(hostedId);
  } catch (error) {
    if (error instanceof HostedError) throw new Refusal('unavailable');
    throw error;
  }
}
