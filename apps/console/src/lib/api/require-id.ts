import { uuid } from '../url/search-params.ts';
import { ApiError } from './api-error.ts';

/** An id in the wrong format belongs to nothing; the server would only call it invalid. @throws ApiError not_found */
export function requireId(id: string): void {
  if (!uuid(id)) throw new ApiError({ code: 'not_found', status: 404, message: 'Not found' });
}
