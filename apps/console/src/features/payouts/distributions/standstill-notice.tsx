import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { durationWords, waitWords } from '../../../lib/format/payout-problem-texts.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import type { Distribution } from '../payouts-queries.ts';

/** Why a distribution makes no progress; renders nothing while it progresses. */
export function StandstillNotice({
  distribution,
  isNamed = false,
}: {
  distribution: Pick<Distribution, 'standstill' | 'created_at' | 'total_amount'> | undefined;
  /** Whether to name the distribution. */
  isNamed?: boolean;
}) {
  if (!distribution?.standstill) return null;
  const { title, text } = standstillWords(distribution.standstill, new Date());
  const { created_at, total_amount } = distribution;
  return (
    <Notice tone="caution" icon={TriangleAlert} title={title}>
      {text}
      {isNamed && (
        <span className="block text-xs text-muted tabular-nums">
          Distribution of <Money amount={total_amount} />, <When at={created_at} />
        </span>
      )}
    </Notice>
  );
}

type Standstill = NonNullable<Distribution['standstill']>;

const STEPS: Record<Standstill['step'], string> = {
  consolidate: 'Collecting from deposit addresses',
  distribute: 'Paying recipients',
};

/** How long a distribution has made no progress, how long the step usually takes, and why it waits. */
export function standstillWords(standstill: Standstill, now: Date): { title: string; text: string } {
  const { step, since, usual_seconds } = standstill;
  const standing = durationWords(now.getTime() - Date.parse(since));
  const usual = usual_seconds === null ? '' : `, usually done in ${durationWords(usual_seconds * 1000)}`;
  return { title: `${STEPS[step]}: no progress for ${standing}${usual}`, text: waitWords(standstill) };
}
