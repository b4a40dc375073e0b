import { useState } from 'react';
import { isChangedMeanwhile } from './api/api-error.ts';

/**
 * The record that a form was opened with. Its changes are computed and sent against this one, also while newer values
 * arrive in the background. After the server has refused a change because of another person's, it is the present record.
 * @param current the newest record; its query has to be read again after a refusal
 */
export function useSeen<Row extends { version: string | number }>(current: Row) {
  const [seen, setSeen] = useState(current);
  const [isStale, setStale] = useState(false);
  if (isStale && current.version !== seen.version) {
    setStale(false);
    setSeen(current);
  }
  return {
    seen,
    /** Takes every error of the change. */
    refused(error: unknown) {
      if (isChangedMeanwhile(error)) setStale(true);
    },
  };
}
