import { LANGUAGES } from '@copydesk/domain';
import { languageName } from '../../../lib/language-name.ts';

export const LANGUAGE_OPTIONS = LANGUAGES.map((language) => ({
  value: language,
  label: languageName(language),
}));
