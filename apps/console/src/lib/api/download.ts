/** Saves a streamed answer as a file, under the server's name for it if there is one. */
export async function saveResponse(response: Response, fallbackName: string): Promise<string> {
  const name =
    /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? fallbackName;
  saveBlob(await response.blob(), name);
  return name;
}

/** Saves a text as a file. */
export function saveText(text: string, name: string): void {
  saveBlob(new Blob([text], { type: 'text/plain' }), name);
}

function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Every browser has started the download by the next task; until then the URL holds the whole file in memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
