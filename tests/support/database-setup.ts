import type { TestProject } from 'vitest/node';
import { prepareTemplate } from './template-database.ts';
import { startTestCluster } from './test-cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testCluster: { ownerUrl: string; template: string };
    /** Whether the run was started with `--update`. */
    updatesSnapshots: boolean;
    /** Whether this is `npm run test:long`: searches are longer, and `longTest` runs. */
    isLong: boolean;
  }
}

/** One PostgreSQL for all test files of a run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestCluster();
  try {
    const template = await prepareTemplate(postgres.ownerUrl);
    project.provide('testCluster', { ownerUrl: postgres.ownerUrl, template });
    project.provide('updatesSnapshots', project.config.snapshotOptions.updateSnapshot === 'all');
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres.stop;
}
