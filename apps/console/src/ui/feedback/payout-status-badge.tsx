import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import Clock from 'lucide-react/icons/clock';
import { statusWords } from '../../lib/format/payout-texts.ts';
import { Badge } from './badge.tsx';

const LOOKS = {
  failed: { tone: 'negative', icon: CircleX },
  distributed: { tone: 'positive', icon: CircleCheck },
} as const;

/** Failed is red, distributed green, anything else grey; the word and the icon say the same. */
export function PayoutStatusBadge({ status }: { status: string }) {
  const { tone, icon } = LOOKS[status as keyof typeof LOOKS] ?? { tone: 'neutral', icon: Clock };
  return (
    <span className="[&_span]:first-letter:uppercase">
      <Badge tone={tone} icon={icon}>
        {statusWords(status)}
      </Badge>
    </span>
  );
}
