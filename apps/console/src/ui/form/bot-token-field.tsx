import { TextField } from './text-field.tsx';

interface BotTokenFieldProps {
  value: string;
  onChange(value: string): void;
  hint?: string;
  error?: string | undefined;
}

/** The token of a bot, hidden while it is typed. */
export function BotTokenField({ value, onChange, hint, error }: BotTokenFieldProps) {
  return (
    <TextField
      label="Bot token"
      name="bot_token"
      type="password"
      isMono
      autoComplete="off"
      spellCheck={false}
      maxLength={120}
      value={value}
      error={error}
      hint={hint ?? 'From @BotFather. It is stored encrypted and never shown again.'}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
