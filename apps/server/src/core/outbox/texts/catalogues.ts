import type { Language } from '@copydesk/domain/catalogue';
import { createInstance, type TFunction } from 'i18next';
import { ar } from './ar.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { escapeHtml } from './markup.ts';
import { pl } from './pl.ts';
import { ru } from './ru.ts';

/** Values with a hyphen, as in {{- amount}}, contain our own markup; all others are escaped. */
export const CATALOGUES: Record<Language, Record<string, string>> = { en, es, ar, pl, ru };

const i18n = createInstance();
// The catalogues are already loaded, so initialization is synchronous.
void i18n.init({
  initAsync: false,
  fallbackLng: 'en',
  resources: Object.fromEntries(
    Object.entries(CATALOGUES).map(([language, translation]) => [language, { translation }]),
  ),
  interpolation: { escape: escapeHtml },
});

/** The texts of a language, with its plural forms. */
export function textsIn(language: Language): TFunction {
  return i18n.getFixedT(language);
}
