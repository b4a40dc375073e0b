/** LeaderboardHandlers a streamed answer to the browser as a file, under the server's name for it if it has one. */
export async function saveResponse(response: Response, fallbackName: string): Promise<string> {
  const name =
    /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? fallbackName;
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by the next task in every browser; the URL holds the whole file in memory until then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return name;
}
