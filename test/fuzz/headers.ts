import fc from 'fast-check';
import { headerText } from './access.js';

/** Names that neither authenticate nor frame the message; what they say must not matter. */
const names = fc.constantFrom(
  'Accept',
  'Accept-Encoding',
  'Content-Type',
  'Content-Encoding',
  'Cookie',
  'Forwarded',
  'If-Match',
  'If-Modified-Since',
  'Origin',
  'Range',
  'Referer',
  'User-Agent',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-HTTP-Method-Override',
  'X-Request-Id',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
);

const values = fc.oneof(
  headerText,
  fc.constantFrom('', '*/*', 'application/json', 'text/plain; charset=utf-16', 'multipart/form-data', 'gzip'),
  fc.constantFrom('DELETE', 'bytes=0-1', '::1', '127.0.0.1', 'a'.repeat(2000), '{"__proto__":1}'),
);

/** Up to four headers that a client might send along. */
export const oddHeaders = fc.array(fc.tuple(names, values), { maxLength: 4 });
