import { setTimeout as sleep } from 'node:timers/promises';
import { durabilityProblem, isConfirmed, type Replication } from '@copydesk/domain/payouts';
import { readReplication } from '../../../../core/transfers/replication.views.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import type { TransferEngine } from '../engine.ts';

// A leader that dies takes with it what no standby has. A transaction that the chain knows and the next leader does not
// is paid a second time: so what is sent is on another machine first.

/** A standby that is this late is as good as gone. Commits wait for it besides. */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 10;

/** Whether what is signed now would be kept. Otherwise the turn is halted. */
export async function maySign(engine: TransferEngine): Promise<boolean> {
  return !isHalted(engine, await engine.db.read(WHOLE_SCOPE, readReplication));
}

/**
 * Whether standbys have what a transaction has just read, within some seconds. Otherwise the turn is halted.
 * @param then read after it, in the same transaction: what waits for a standby is not seen, but for what a database
 *   that was started again found in its log
 */
export async function isKept(engine: TransferEngine, then: Replication): Promise<boolean> {
  const startedAt = performance.now();
  for (let now = then; ; now = await engine.db.read(WHOLE_SCOPE, readReplication)) {
    if (isHalted(engine, now)) return false;
    if (engine.durability !== 'synchronous' || now.forgottenUntil || isConfirmed(then, now)) return true;
    if (now.timeline !== then.timeline) return halt(engine, 'Another machine leads the database since.');
    if (performance.now() - startedAt > PATIENCE_MS) return halt(engine, 'The standby does not follow.');
    await sleep(LOOK_EVERY_MS);
  }
}

function isHalted(engine: TransferEngine, found: Replication): boolean {
  const problem = durabilityProblem(engine.durability, found);
  return problem !== null && !halt(engine, problem);
}

function halt({ onHalt, log }: TransferEngine, because: string): false {
  onHalt?.('no_standby', because);
  log.warn({ because }, 'no standby is known to keep what is signed: nothing is signed or sent');
  return false;
}
