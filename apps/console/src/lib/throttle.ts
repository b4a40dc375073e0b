/**
 * Runs at once, then at most once per interval; calls in between cause one run at its end.
 * @param schedule setTimeout, or a clock moved by hand
 */
export function throttle(
  run: () => void,
  intervalMs: number,
  schedule: (task: () => void, ms: number) => unknown = (task, ms) => setTimeout(task, ms),
): () => void {
  let waiting = false;
  let again = false;
  const fire = () => {
    waiting = true;
    again = false;
    run();
    schedule(() => {
      waiting = false;
      if (again) fire();
    }, intervalMs);
  };
  return () => {
    if (waiting) again = true;
    else fire();
  };
}
