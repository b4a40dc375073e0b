import { useCallback, useEffect, useRef, useState } from 'react';
import { isFactorMissing, isRecentAuthWanted, messageOf } from '../../../../lib/api/api-error.ts';
import type { RecentAuth } from '../../../../lib/api/call.ts';
import { isReasonWanted } from './reveal-credential.ts';

/** What a person has to do before the secret is shown, and hovering may not ask for. */
export type ClickFirst = 'recentAuth' | 'factor' | 'reason';

function clickFirstOf(error: unknown): ClickFirst | null {
  if (isRecentAuthWanted(error)) return 'recentAuth';
  if (isFactorMissing(error)) return 'factor';
  return isReasonWanted(error) ? 'reason' : null;
}

/** Moving the pointer across a field sends no request. */
const ASK_AFTER_MS = 300;
/** A plain value is forgotten after this, and with the component. */
const TTL_MS = 30_000;

/**
 * A value requested on hover or focus, shown meanwhile, and forgotten soon. It lives in this component only: never in
 * the query cache, never in storage.
 * @param ask requests the plain value; every call is audited. Only a click may open a dialog, not hover or focus
 */
export function useReveal(ask: (recentAuth: RecentAuth) => Promise<string>) {
  const [value, setValue] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [clickFirst, setClickFirst] = useState<ClickFirst | null>(null);
  const asking = useRef<Promise<string> | null>(null);
  const lookTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const forgetTimer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(
    () => () => {
      clearTimeout(lookTimer.current);
      clearTimeout(forgetTimer.current);
    },
    [],
  );

  const request = useCallback(
    (recentAuth: RecentAuth): Promise<string> => {
      asking.current ??= ask(recentAuth)
        .then((plain) => {
          setValue(plain);
          clearTimeout(forgetTimer.current);
          forgetTimer.current = setTimeout(() => setValue(null), TTL_MS);
          return plain;
        })
        .finally(() => {
          asking.current = null;
        });
      return asking.current;
    },
    [ask],
  );

  const getValue = useCallback(
    async (recentAuth: RecentAuth): Promise<string> => {
      if (value !== null) return value;
      setProblem(null);
      setClickFirst(null);
      const isOfHover = asking.current !== null;
      try {
        return await request(recentAuth);
      } catch (error) {
        // A click during a hover request got that request's answer.
        if (recentAuth === 'ask' && isOfHover && clickFirstOf(error) !== null) return request('ask');
        throw error;
      }
    },
    [value, request],
  );

  const show = (recentAuth: RecentAuth) => {
    clearTimeout(lookTimer.current);
    setLooking(true);
    getValue(recentAuth).catch((error: unknown) => {
      const first = clickFirstOf(error);
      if (first) setClickFirst(first);
      else setProblem(messageOf(error));
    });
  };
  return {
    shown: isLooking ? value : null,
    isAsking: isLooking && value === null && problem === null && clickFirst === null,
    problem: isLooking ? problem : null,
    /** Set when showing it needs a click first. */
    clickFirst: isLooking && value === null ? clickFirst : null,
    /** The plain value, for copying without showing it. */
    getValue: () => getValue('ask'),
    show: () => show('ask'),
    /** Begins once, however often it is called until `leave`. */
    look: () => {
      lookTimer.current ??= setTimeout(() => show('do-not-ask'), ASK_AFTER_MS);
    },
    leave: () => {
      clearTimeout(lookTimer.current);
      lookTimer.current = undefined;
      setLooking(false);
    },
  };
}
