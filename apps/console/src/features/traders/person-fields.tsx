import type { Language } from '@copydesk/domain/catalogue';
import { cleanLine, cleanPasted, EMAIL_PATTERN, emailInAscii } from '@copydesk/domain/text';
import { languageOptions } from '../../lib/format/language-name.ts';
import type { FieldErrors } from '../../ui/form/form-context.ts';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextField } from '../../ui/form/text-field.tsx';

/** Who a trader is, as typed. */
export interface PersonValues {
  name: string;
  email: string;
  telegram_username: string;
  telegram_user_id: string;
  language: Language;
}

/** The same as it is sent: without what pasting adds, and null where nothing is left. */
export const personOf = ({ name, email, telegram_username, telegram_user_id, language }: PersonValues) => ({
  name: cleanLine(name) || null,
  email: emailInAscii(email) || null,
  telegram_username: cleanLine(telegram_username).replace(/^@/, '') || null,
  telegram_user_id: cleanPasted(telegram_user_id) || null,
  language,
});

/** What is wrong with it, by field. */
export function personErrors(values: PersonValues): FieldErrors {
  const { email, telegram_user_id: chat } = personOf(values);
  return {
    ...(email && !EMAIL_PATTERN.test(email) && { email: 'Enter an e-mail address, or nothing' }),
    ...(chat &&
      !/^[1-9]\d{0,15}$/.test(chat) && {
        telegram_user_id: 'Enter the digits of the Telegram ID, or nothing',
      }),
  };
}

const PLAIN = { autoComplete: 'off', spellCheck: false } as const;

/** The fields of a person. @param isFirst whether they are the first of their dialog */
export function PersonFields({ isFirst = false, chatHint }: { isFirst?: boolean; chatHint: string }) {
  return (
    <>
      <div className="grid gap-3.5 sm:grid-cols-2">
        {/* Names of any script begin at their own side. */}
        <TextField label="Name" name="name" {...PLAIN} dir="auto" maxLength={200} autoFocus={isFirst} />
        <TextField label="E-mail" name="email" {...PLAIN} inputMode="email" maxLength={254} />
      </div>
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField label="Telegram username" name="telegram_username" {...PLAIN} maxLength={200} />
        <TextField
          label="Telegram ID"
          name="telegram_user_id"
          {...PLAIN}
          inputMode="numeric"
          maxLength={16}
          hint={chatHint}
        />
      </div>
      <SelectField label="Language" name="language" options={languageOptions()} />
    </>
  );
}
