import { useState } from 'react';
import { isChangedMeanwhile } from './api/api-error.ts';

/**
 * The record that a form was opened with. Its changes are computed and sent against this one, also while newer values
 * arrive in the background. After the server has refused a change because of another person's, the form starts again
 * from the present record.
 * @param current the newest record; its query has to be read again after a refusal
 * @param restart fills the form from the present record
 */
export function useSeen<Row extends { version: string | number }>(
  current: Row,
  restart: (present: Row) => void,
) {
  const [seen, setSeen] = useState(current);
  const [isStale, setStale] = useState(false);
  if (isStale && current.version !== seen.version) {
    setStale(false);
    setSeen(current);
    restart(current);
  }
  return {
    seen,
    /** Takes every error of the change. */
    refused(error: unknown) {
      if (isChangedMeanwhile(error)) setStale(true);
    },
  };
}
