import { createDatabase } from '../../apps/server/src/platform/db/installation/create-database.ts';
import { SYSTEM_POSTGRES, startBareCluster } from './bare-cluster.ts';
import { startStandby } from './standby.ts';

/** What a replica is behind: as long as a quiet request takes, so that both it and the leader answer. */
const DELAY = '300ms';

export interface ReplicatedCluster {
  ownerUrl: string;
  /** Of the standby, which has the same databases and logins. */
  replicaPort: string;
  stop(): Promise<void>;
}

/** The machine's own PostgreSQL with a standby that is a moment behind, for `TEST_READ_REPLICA=1`. */
export async function startReplicatedCluster(): Promise<ReplicatedCluster> {
  if (!SYSTEM_POSTGRES)
    throw new Error('TEST_READ_REPLICA needs a PostgreSQL of the machine with its programs');
  const settings = ['max_connections=300'];
  const leader = await startBareCluster(SYSTEM_POSTGRES, { settings, locale: 'C.UTF-8' });
  const ownerUrl = leader.urlOf('copydesk', 'secret', 'copydesk');
  await createDatabase({
    adminUrl: leader.adminUrl,
    ownerUrl,
    applicationUrl: leader.urlOf('copydesk_login', 'secret', 'copydesk'),
  });
  await leader.asAdmin('ALTER ROLE copydesk CREATEDB CREATEROLE');
  const standby = await startStandby(SYSTEM_POSTGRES, leader, {
    name: 'replica',
    settings: [...settings, `recovery_min_apply_delay=${DELAY}`],
  });
  return {
    ownerUrl,
    replicaPort: new URL(standby.adminUrl).port,
    async stop() {
      await standby.stop();
      await leader.stop();
    },
  };
}
