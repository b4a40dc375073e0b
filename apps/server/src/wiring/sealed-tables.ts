import { SEALED_BOT_TOKENS } from '../features/bots/exchange-bot/bot/bot-token-box.ts';
import { SEALED_CREDENTIALS } from '../features/exchanges/credentials/credential-box.ts';
import { SEALED_POOL_KEYS } from '../features/pools/keys/sealed-pool-keys.ts';
import { SEALED_MAILS } from '../platform/work/mail/mail-box.ts';

/** Every table with sealed secrets. */
export const SEALED_TABLES = [SEALED_CREDENTIALS, SEALED_POOL_KEYS, SEALED_BOT_TOKENS, SEALED_MAILS];
