/** What the process that writes documents is started with. */
export interface DocumentSetting {
  /** The folder of templates, the only one that a template can read. */
  folder: string;
  /** Above it, the process ends itself. */
  memoryMb: number;
}

/** A document to write: the template's file in that folder, and its data as JSON. */
export interface DocumentOrder {
  template: string;
  json: string;
}

/** The document, or the sentence of the compiler that says why there is none. */
export type DocumentAnswer = { pdf: Uint8Array } | { problem: string };
