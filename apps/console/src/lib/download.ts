/** Saves a streamed answer as a file, under the server's name for it if there is one. */
export async function saveResponse(response: Response, fallbackName: string): Promise<string> {
  const name =
    /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? fallbackName;
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Every browser has started the download by the next task; until then the URL holds the whole file in memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return name;
}
