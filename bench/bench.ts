import { startEmbeddedPostgres } from '../apps/server/src/launcher/embedded-postgres.ts';
import { benchAttention } from './attention.ts';
import { benchAudit } from './audit.ts';
import { benchBotSales } from './bot-sales.ts';
import { benchConsole } from './console.ts';
import { benchDeposits } from './deposits.ts';
import { benchDocuments } from './documents.ts';
import { benchInvoices } from './invoices.ts';
import { benchInvoicing } from './invoicing.ts';
import { benchKnee } from './knee.ts';
import { benchLists } from './lists.ts';
import { benchMetrics } from './metrics.ts';
import { benchMillion } from './million.ts';
import { benchPartitions } from './partitions.ts';
import { benchPayoutHistory } from './payout-history.ts';
import { benchPayouts } from './payouts.ts';
import { benchPeople } from './people.ts';
import { benchPoolCycle } from './pool-cycle.ts';
import { benchPoolLists } from './pool-lists.ts';
import { benchPoolRuns } from './pool-runs.ts';
import { benchPools } from './pools.ts';
import { benchReading } from './reading.ts';
import { benchReads } from './reads.ts';
import { benchSearch } from './search.ts';
import { benchSizes } from './sizes.ts';
import { benchFolders } from './support/data-dir.ts';
import { createReport } from './support/report.ts';
import { benchTraderHistory } from './trader-history.ts';
import { benchTraderPage } from './trader-page.ts';
import { benchTraders } from './traders-list.ts';
import { benchWaiting } from './waiting.ts';

// npm run bench: prints figures, asserts nothing. docs/benchmarks.md has those of the last thorough run. `npm run bench
// -- traders` runs one part.
const BENCHES = {
  traders: benchTraders,
  history: benchTraderHistory,
  invoices: benchInvoices,
  invoicing: benchInvoicing,
  documents: benchDocuments,
  payout: benchPayoutHistory,
  payouts: benchPayouts,
  deposits: benchDeposits,
  people: benchPeople,
  pools: benchPools,
  'pool-lists': benchPoolLists,
  'pool-cycle': benchPoolCycle,
  'pool-runs': benchPoolRuns,
  reading: benchReading,
  attention: benchAttention,
  search: benchSearch,
  page: benchTraderPage,
  lists: benchLists,
  knee: benchKnee,
  sizes: benchSizes,
  audit: benchAudit,
  reads: benchReads,
  'bot-sales': benchBotSales,
  partitions: benchPartitions,
  waiting: benchWaiting,
  metrics: benchMetrics,
  console: benchConsole,
  million: benchMillion,
};
/** Takes 32 GB and most of an hour. */
const ONLY_WHEN_NAMED = ['million'];

const { dataDir, cacheDir } = benchFolders();
const postgres = await startEmbeddedPostgres({ dataDir, cacheDir, forTests: true });
const report = createReport();
try {
  const wanted = process.argv.slice(2);
  for (const [name, bench] of Object.entries(BENCHES))
    if (wanted.includes(name) || (wanted.length === 0 && !ONLY_WHEN_NAMED.includes(name)))
      await bench(postgres.ownerUrl, dataDir, report);
} finally {
  await postgres.stop();
}
console.log(`\n${report.print()}`);
process.exit();
