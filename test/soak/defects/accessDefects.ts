import type { ServiceDefect } from './serviceDefect.js';

/** In keys, scopes and limits. */
export const accessDefects: readonly ServiceDefect[] = [
  {
    name: 'a key is known by its prefix alone',
    file: 'src/apiKeys/apiKeys.ts',
    from: 'timingSafeEqual(key.hash, hash) && system',
    to: 'timingSafeEqual(key.hash, key.hash) && hash.length > 0 && system',
  },
  {
    name: 'a write key may not read',
    file: 'src/apiKeys/apiKeys.ts',
    from: `scope === needed || (scope === 'write' && needed === 'read')`,
    to: 'scope === needed',
  },
  {
    name: 'expired keys are accepted',
    file: 'src/apiKeys/apiKeys.ts',
    from: ' && system.now() < key.expiresAt',
    to: '',
  },
  {
    name: 'the last request of the limit is refused',
    file: 'src/apiKeys/rateLimiter.ts',
    from: 'points <= limit',
    to: 'points < limit',
  },
  {
    name: 'all keys share one window',
    file: 'src/apiKeys/rateLimiter.ts',
    from: 'count(`key:${String(id)}`)',
    to: 'count(`key:${String(id > 0)}`)',
  },
  {
    name: 'the scope is checked before the rate limit',
    file: 'src/contract/runtime/operations.ts',
    from: '    countRequest,\n    requireScope,\n',
    to: '    requireScope,\n    countRequest,\n',
  },
];
