import { readConfig } from '../config.ts';
import { rotateMasterKey } from '../features/exchanges/credentials/credentials-rotation.service.ts';
import { loadKeyring } from '../platform/crypto/keyring.ts';
import { openDatabase } from '../wiring/open-database.ts';

// npm run rotate-key: puts every stored secret under CREDENTIALS_KEY. The key before it has to stand in
// CREDENTIALS_OTHER_KEYS until this has said that it is done, in the environment of every process.
try {
  const config = readConfig();
  const { db } = await openDatabase(config, 'copydesk-rotate-key');
  const { rewrapped } = await rotateMasterKey(db, await loadKeyring(config.credentials));
  console.log(
    rewrapped === 0
      ? 'Every stored secret is under the current key already.'
      : `${rewrapped} stored secrets are now under the current key. The other keys are not needed any more.`,
  );
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
process.exit();
