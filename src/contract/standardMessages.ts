/**
 * Texts of errors that no response of the contract words.
 * `x-messages` replaces them; words in braces are filled in.
 */
export const standardMessages = {
  field: '{field} is invalid',
  read_only: '{field} must not be sent',
  request: 'The request is invalid',
  content_type: 'Content-Type must be {media}',
  multipart: 'The body is incomplete, or is not multipart/form-data',
  multipart_boundary: 'Content-Type has no boundary, or no valid one',
  multipart_parts: 'The body has more than {limit} parts',
  multipart_headers: 'The headers of a part are larger than {limit}',
  host: 'The Host header is invalid',
  expect: 'The Expect header is invalid',
  address: 'There is nothing at this address',
  malformed_address: 'The address is invalid',
  unauthorized: 'Credentials are missing or invalid',
  forbidden: 'The scope {scope} is missing',
  not_found: 'There is no such resource',
  not_acceptable: 'Accept must allow {media}',
  payload_too_large: 'The body is larger than {limit}',
  unsupported_media_type: 'The body has to be plain UTF-8',
  rate_limited: 'Too many requests: try again in {seconds} s',
  unavailable: 'The service is busy: try again in {seconds} s',
} as const;

export type MessageKey = keyof typeof standardMessages;

export type Messages = Readonly<Record<MessageKey, string>>;
