import { MACHINES, type Machine } from './files.ts';
import { ADDRESSES } from './machines.ts';

/** A database as Patroni tells of it. */
export interface Member {
  name: Machine;
  role: 'leader' | 'sync_standby' | 'replica' | string;
  state: string;
  timeline?: number;
  /** Bytes behind the leader. */
  lag?: number | string;
}

async function ask(url: string, init: RequestInit = {}): Promise<Response | null> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(2_000) }).catch(() => null);
}

/** The databases as one machine sees them, by preference the leader's; null: no machine answers. */
export async function readMembers(): Promise<Member[] | null> {
  const answers = await Promise.all(
    MACHINES.map(async (machine) => {
      const answer = await ask(`http://${ADDRESSES[machine]}:8008/cluster`);
      const { members = [] } = answer?.ok ? ((await answer.json()) as { members?: Member[] }) : {};
      return { machine, members };
    }),
  );
  const seen = answers.filter(({ members }) => members.length > 0);
  const ofLeader = seen.find(({ machine, members }) =>
    members.some(({ name, role, state }) => name === machine && role === 'leader' && state === 'running'),
  );
  return (ofLeader ?? seen[0])?.members ?? null;
}

/** Whether commits wait for a standby, as Patroni is told. */
export async function isSynchronous(): Promise<boolean> {
  for (const machine of MACHINES) {
    const answer = await ask(`http://${ADDRESSES[machine]}:8008/config`);
    if (answer?.ok)
      return ((await answer.json()) as { synchronous_mode?: boolean }).synchronous_mode === true;
  }
  return true;
}

/** Whether the vote of a machine is heard. */
export const votes = async (machine: Machine): Promise<boolean> => {
  const answer = await ask(`http://${ADDRESSES[machine]}:2379/health`);
  return answer?.ok === true && ((await answer.json()) as { health?: string }).health === 'true';
};

/** What the API of a machine says of itself; 0: it does not answer. */
export const readyStatus = async (machine: Machine): Promise<number> =>
  (await ask(`http://${ADDRESSES[machine]}:3000/api/ready`))?.status ?? 0;

/** Has another machine lead, as before work on the present leader. @throws Error with Patroni's words */
export async function switchOver(password: string): Promise<{ from: Machine; to: Machine }> {
  const members = await readMembers();
  const from = members?.find(({ role }) => role === 'leader')?.name;
  const to = members?.find(({ role }) => role === 'sync_standby')?.name;
  if (!from || !to) throw new Error('There is no leader with a synchronous standby');
  const answer = await fetch(`http://${ADDRESSES[from]}:8008/switchover`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`patroni:${password}`).toString('base64')}` },
    body: JSON.stringify({ leader: from, candidate: to }),
    signal: AbortSignal.timeout(60_000),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return { from, to };
}

/** Where the leader is in the log, in bytes; null: nobody leads. */
export async function readPosition(): Promise<number | null> {
  const leader = (await readMembers())?.find(({ role }) => role === 'leader')?.name;
  const answer = leader ? await ask(`http://${ADDRESSES[leader]}:8008/patroni`) : null;
  if (!answer) return null;
  return ((await answer.json()) as { xlog?: { location?: number } }).xlog?.location ?? null;
}
