import type { Language } from '@copydesk/domain';

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
