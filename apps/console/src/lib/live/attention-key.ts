/** Of the queries about what needs a person. */
export const ATTENTION_KEY = ['attention'] as const;
