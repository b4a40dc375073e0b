import type { Language } from '@copydesk/domain/catalogue';
import type { BotTextKey } from '@copydesk/domain/exchange-bot';
import { ar } from './ar.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { pl } from './pl.ts';
import { ru } from './ru.ts';

/** The texts of every bot. They cannot be edited, because one of them shows the address to pay to. */
export const DEFAULT_BOT_TEXTS: Record<Language, Record<BotTextKey, string>> = { en, es, ar, pl, ru };
