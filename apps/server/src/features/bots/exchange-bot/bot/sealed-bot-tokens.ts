import type { SealedTable } from '../../../../platform/secrets/rotate-master-key.ts';
import { rewrapBotToken } from './bot-token-box.ts';
import { countByMasterKey, lockSealedUnderOtherKeys, saveWrapping } from './bot-tokens.store.ts';

/** The tokens of communities' bots, for the rotation of the master key. */
export const SEALED_BOT_TOKENS: SealedTable = {
  countByMasterKey,
  async rewrapSome(tx, keyring, limit) {
    const rows = await lockSealedUnderOtherKeys(tx, keyring.current.id, limit);
    for (const row of rows) await saveWrapping(tx, row.botId, rewrapBotToken(keyring, row));
    return rows.length;
  },
};
