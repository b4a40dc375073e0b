import CircleX from 'lucide-react/icons/circle-x';
import { statusWords } from '../../../lib/format/payout-texts.ts';
import { State } from '../../../ui/feedback/state.tsx';

const LOOKS = {
  failed: { tone: 'negative', icon: CircleX },
  distributed: { tone: 'positive', icon: undefined },
} as const;

/** Failed is red and filled; distributed has a green dot, anything else a grey one. */
export function PayoutStatusBadge({ status }: { status: string }) {
  const { tone, icon } = LOOKS[status as keyof typeof LOOKS] ?? { tone: 'neutral', icon: undefined };
  return (
    <span className="[&_span]:first-letter:uppercase">
      <State tone={tone} icon={icon}>
        {statusWords(status)}
      </State>
    </span>
  );
}
