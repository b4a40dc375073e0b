import type { HaltReason } from '@copydesk/domain';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import type { TransferEngine } from './engine.ts';
import { noteHeartbeat } from './heartbeat.store.ts';

const ALL = { kind: 'all' } as const;
/** A turn that changes nothing is noted this often; `payout-waits.views.ts` allows six times as long. */
const NOTE_EVERY_MS = 10_000;

type Work = (engine: TransferEngine) => Promise<boolean>;

/**
 * Notes in the database that turns of paying out are taken, and what keeps all of them from going on, so that a payout
 * that waits can say why. A silent chain is found even while no turn has a question for it.
 * @param isSilence whether an error of the chain says that no server of it answers
 */
export function createHeartbeat(
  engine: TransferEngine,
  isSilence: (error: unknown) => boolean,
): (work: Work) => Promise<boolean> {
  let noted: { because: HaltReason | null; at: number } | null = null;
  const isDue = () => !noted || performance.now() - noted.at >= NOTE_EVERY_MS;
  const isSilent = () =>
    engine.chain.check(engine.chainId).then(
      () => false,
      (error) => isSilence(error),
    );
  const note = async (because: HaltReason | null) => {
    if (noted?.because === because && !isDue()) return;
    await engine.db.write(ALL, WORKER_ACTOR, (tx) => noteHeartbeat(tx, engine.chainId, because));
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
