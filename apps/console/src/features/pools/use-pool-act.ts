import { useAct } from '../../ui/form/use-act.ts';
import { poolsKeys } from './pools-keys.ts';

interface PoolAct<Answer> {
  /** The whole request: while it is the same, a repetition takes effect once. */
  request: object;
  send(idempotencyKey: string): Promise<Answer>;
  /** What the server has done when it answers. */
  done: { title: string; text?: string } | ((answer: Answer) => { title: string; text?: string });
  onClose(): void;
}

/**
 * An act that a dialog asks to confirm. It reads every figure of pools again afterwards, also when it failed.
 * @returns the properties of the dialog that depend on it
 */
export function usePoolAct<Answer>({ request, send, done, onClose }: PoolAct<Answer>) {
  const act = useAct({
    send: (keyOf) => send(keyOf(request)),
    done: (answer: Answer) => ({
      tone: 'neutral' as const,
      ...(typeof done === 'function' ? done(answer) : done),
    }),
    reads: poolsKeys.all,
    onDone: onClose,
  });
  return { ...act, onClose };
}
