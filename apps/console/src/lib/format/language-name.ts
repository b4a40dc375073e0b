import { LANGUAGES, type Language } from '@copydesk/domain/catalogue';

const NAMES: Record<Language, string> = {
  en: 'English',
  es: 'Spanish',
  ar: 'Arabic',
  pl: 'Polish',
  ru: 'Russian',
};

/** A language of messages, in English. */
export function languageName(language: Language): string {
  return NAMES[language];
}

/**
 * The languages to choose from. A function: files of the build can import each other, and a list that is computed while
 * they load may be computed before the names are there.
 */
export const languageOptions = () =>
  LANGUAGES.map((language) => ({ value: language, label: languageName(language) }));
