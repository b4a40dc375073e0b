/** `busy`: too many documents wait. `failed`: this one was not written, and asking again will hardly help. */
export type DocumentProblem = 'busy' | 'failed';

/** Why a document was not written. */
export class DocumentError extends Error {
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem, message: string) {
    super(message);
    this.name = 'DocumentError';
    this.problem = problem;
  }
}

/** Writes documents. */
export interface Documents {
  /**
   * A document as PDF. The same data give the same bytes: a template reads no clock, and what it says is in the data.
   * @param template the name of a file in `templates`
   * @param data reaches the template as JSON, so no text in it is ever read as a template
   * @throws DocumentError
   */
  write(template: string, data: object): Promise<Buffer>;
  /** Ends the process that writes them. What waits fails. */
  close(): Promise<void>;
}
