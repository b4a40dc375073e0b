import { TextField } from '../../../ui/form/text-field.tsx';

interface BotTokenFieldProps {
  /** Its name in the form. */
  name: string;
  hint?: string;
}

/** The token of a bot, hidden while it is typed. */
export function BotTokenField({ name, hint }: BotTokenFieldProps) {
  return (
    <TextField
      label="Bot token"
      name={name}
      type="password"
      isMono
      autoComplete="off"
      spellCheck={false}
      maxLength={120}
      hint={hint ?? 'From @BotFather. It is stored encrypted and never shown again.'}
    />
  );
}
