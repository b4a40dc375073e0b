export { type Found, SEARCH_KINDS, type SearchKind, searchCalls, searchEntry } from './search.ts';
