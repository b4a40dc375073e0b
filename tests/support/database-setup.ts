import type { TestProject } from 'vitest/node';
import { startReplicatedCluster } from './replicated-cluster.ts';
import { prepareTemplate } from './template-database.ts';
import { startTestCluster } from './test-cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testCluster: { ownerUrl: string; template: string };
    /** Port of a replica that the APIs of tests read lists on (`TEST_READ_REPLICA=1`); null: there is none. */
    replicaPort: string | null;
    /** Whether the run was started with `--update`. */
    updatesSnapshots: boolean;
    /** Whether this is `npm run test:long`: searches are longer, and `longTest` runs. */
    isLong: boolean;
  }
}

/** One PostgreSQL for all test files of a run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const postgres = process.env.TEST_READ_REPLICA
    ? await startReplicatedCluster()
    : { ...(await startTestCluster()), replicaPort: null };
  try {
    const template = await prepareTemplate(postgres.ownerUrl);
    project.provide('testCluster', { ownerUrl: postgres.ownerUrl, template });
    project.provide('replicaPort', postgres.replicaPort);
    project.provide('updatesSnapshots', project.config.snapshotOptions.updateSnapshot === 'all');
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres.stop;
}
