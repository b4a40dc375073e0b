import type { HaltReason } from '@copydesk/domain/payouts';
import { isDatabaseGone } from '../../../platform/db/connection/outage.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import type { TransferEngine } from './engine.ts';
import { recordHeartbeat } from './heartbeat.store.ts';

/** Interval for recording turns that change nothing; `payout-waits.views.ts` allows six times as long. */
const NOTE_EVERY_MS = 10_000;

interface Halt {
  because: HaltReason;
  detail: string | null;
}
const SILENT: Halt = { because: 'chain_silent', detail: null };

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
  let noted: { halt: Halt | null; at: number } | null = null;
  const isDue = () => !noted || performance.now() - noted.at >= NOTE_EVERY_MS;
  const gasAddress = engine.keys.addressOf({ role: 'gas', keyIndex: 0 });
  const isSilent = () =>
    engine.chain.check(engine.chainId).then(
      () => false,
      (error) => isSilence(error),
    );
  const note = async (halt: Halt | null) => {
    if (noted?.halt?.because === halt?.because && noted?.halt?.detail === halt?.detail && !isDue()) return;
    // A chain that does not answer would delay the note.
    const gasWei =
      halt?.because === 'chain_silent' ? null : await engine.chain.coinOf(gasAddress).catch(() => null);
    const { because = null, detail = null } = halt ?? {};
    await engine.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      recordHeartbeat(tx, engine.chainId, { because, detail, gasWei }),
    );
    noted = { halt, at: performance.now() };
  };

  return async (work) => {
    let halt: Halt | null = null;
    try {
      if ((noted?.halt?.because === 'chain_silent' || isDue()) && (await isSilent())) halt = SILENT;
      return await work({
        ...engine,
        onHalt: (because, detail = null) => {
          halt = { because, detail };
        },
      });
    } catch (error) {
      // The turn could not take place, so there is nothing to record.
      if (isDatabaseGone(error)) throw error;
      halt = (await isSilent()) ? SILENT : { because: 'turn_failed', detail: engine.chain.sentenceOf(error) };
      throw error;
    } finally {
      await note(halt);
    }
  };
}
