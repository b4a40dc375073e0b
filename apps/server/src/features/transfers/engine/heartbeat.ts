import type { HaltReason } from '@copydesk/domain';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import type { TransferEngine } from './engine.ts';
import { noteHeartbeat } from './heartbeat.store.ts';

/** Interval for recording turns that change nothing; `payout-waits.views.ts` allows six times as long. */
const NOTE_EVERY_MS = 10_000;

type Work = (engine: TransferEngine) => Promise<boolean>;

/**
 * Records in the database that payout turns run, and the reason why all of them are halted, so a waiting payout can
 * show why, and how much coin the gas wallet has. It detects an unresponsive chain even when no turn reads it.
 * @param isSilence whether a chain error means that none of its servers answers
 */
export function createHeartbeat(
  engine: TransferEngine,
  isSilence: (error: unknown) => boolean,
): (work: Work) => Promise<boolean> {
  let noted: { because: HaltReason | null; at: number } | null = null;
  const isDue = () => !noted || performance.now() - noted.at >= NOTE_EVERY_MS;
  const gasAddress = engine.keys.addressOf({ role: 'gas', keyIndex: 0 });
  const isSilent = () =>
    engine.chain.check(engine.chainId).then(
      () => false,
      (error) => isSilence(error),
    );
  const note = async (because: HaltReason | null) => {
    if (noted?.because === because && !isDue()) return;
    // A chain that does not answer would delay the note.
    const gasWei =
      because === 'chain_silent' ? null : await engine.chain.coinOf(gasAddress).catch(() => null);
    await engine.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      noteHeartbeat(tx, engine.chainId, { because, gasWei }),
    );
    noted = { because, at: performance.now() };
  };

  return async (work) => {
    let because: HaltReason | null = null;
    try {
      if ((noted?.because === 'chain_silent' || isDue()) && (await isSilent())) because = 'chain_silent';
      return await work({
        ...engine,
        onHalt: (reason) => {
          because = reason;
        },
      });
    } catch (error) {
      because = (await isSilent()) ? 'chain_silent' : 'turn_failed';
      throw error;
    } finally {
      await note(because);
    }
  };
}
