import { readConfig } from '../config.ts';
import { runCommand } from '../platform/process/run-command.ts';
import { loadKeyring } from '../platform/secrets/keyring.ts';
import { rotateMasterKey } from '../platform/secrets/rotate-master-key.ts';
import { openDatabase } from '../wiring/open-database.ts';
import { SEALED_TABLES } from '../wiring/sealed-tables.ts';

// npm run rotate-key: wraps every stored secret with CREDENTIALS_KEY. The previous key must stay in
// CREDENTIALS_OTHER_KEYS of every process until this program reports that it is done.
await runCommand(async () => {
  const config = readConfig();
  const { db } = await openDatabase(config, 'copydesk-rotate-key');
  const { rewrapped } = await rotateMasterKey(db, await loadKeyring(config.credentials), SEALED_TABLES);
  console.log(
    rewrapped === 0
      ? 'All stored secrets already use the current key.'
      : `${rewrapped} stored secrets now use the current key. The other keys are no longer needed.`,
  );
});
process.exit();
