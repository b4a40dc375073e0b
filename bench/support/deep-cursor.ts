const STEP = 10_000;

/** The cursor after this many rows of a list, a multiple of 10,000, found like in the console. */
export async function deepCursor(url: string, path: string, token: string, rows: number): Promise<string> {
  let cursor = '';
  for (let read = 0; read < rows; read += STEP) {
    const from = cursor && `&cursor=${cursor}`;
    const answer = await fetch(`${url}${path.replace(/limit=\d+/, 'limit=1')}&offset=${STEP - 1}${from}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { meta } = (await answer.json()) as { meta: { next_cursor: string | null } };
    if (meta.next_cursor === null) throw new Error(`${path} has less than ${rows} rows`);
    cursor = meta.next_cursor;
  }
  return cursor;
}
