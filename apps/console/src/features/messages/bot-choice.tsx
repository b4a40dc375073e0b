import { useNavigate } from '@tanstack/react-router';
import { SegmentedChoice } from '../../ui/form/filters/segmented-choice.tsx';

const BOTS = [
  { value: 'platform', label: 'Platform bot' },
  { value: 'communities', label: "Communities' bots" },
] as const;

/** Whose messages are listed, for super admins: each bot's have a screen. */
export function BotChoice({ of }: { of: (typeof BOTS)[number]['value'] }) {
  const navigate = useNavigate();
  return (
    <SegmentedChoice
      label="Messages of"
      options={BOTS}
      value={of}
      onChange={(bot) => void navigate({ to: bot === 'platform' ? '/messages' : '/messages/bots' })}
    />
  );
}
