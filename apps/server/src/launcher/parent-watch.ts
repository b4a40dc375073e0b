const CHECK_EVERY_MS = 500;

/**
 * Calls `onGone` when this process's parent is gone. For a start through npm: a shell between npm and us may die of a
 * signal without passing it on, and a killed npm sends none.
 */
export function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, CHECK_EVERY_MS);
  timer.unref();
}
