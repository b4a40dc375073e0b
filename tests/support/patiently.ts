/** Calls again while the connections are busy, as on a slow machine: nothing was changed then. */
export async function patiently<T extends { status: number }>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
  }
}
