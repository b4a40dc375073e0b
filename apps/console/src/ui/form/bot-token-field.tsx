import { TextField } from './text-field.tsx';

interface BotTokenFieldProps {
  /** Its name in the form. */
  name?: string;
  value?: string;
  onChange?(value: string): void;
  hint?: string;
}

/** The token of a bot, hidden while it is typed. */
export function BotTokenField({ name = 'bot_token', hint, value, onChange }: BotTokenFieldProps) {
  return (
    <TextField
      label="Bot token"
      name={name}
      type="password"
      isMono
      autoComplete="off"
      spellCheck={false}
      maxLength={120}
      {...(value !== undefined && {
        value,
        onChange: ({ target }: { target: { value: string } }) => onChange?.(target.value),
      })}
      hint={hint ?? 'From @BotFather. It is stored encrypted and never shown again.'}
    />
  );
}
