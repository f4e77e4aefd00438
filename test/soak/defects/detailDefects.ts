import type { ServiceDefect } from './serviceDefect.js';

/** In single values, methods, headers and second requests. */
export const detailDefects: readonly ServiceDefect[] = [
  {
    name: 'an e behind a leading number is taken for an exponent',
    file: 'src/contract/conversion.ts',
    from: '(?:e[+-]?\\d+)?)(?:',
    to: '(?:e[+-]?\\d*)?)(?:',
  },
  {
    name: 'a no-break space behind a number is white space',
    file: 'src/contract/conversion.ts',
    from: '(?:[ \\t\\n\\r\\v\\f]*$|([^]))',
    to: '(?:\\s*$|([^]))',
  },
  {
    name: 'a key without a limit has a limit of a million',
    file: 'src/apiKeys/rateLimiter.ts',
    from: `      if (rateLimit === 0) return undefined;
      return andThen(count(\`key:\${String(id)}\`), (counted) => toAllowance(counted, rateLimit));`,
    to: `      const limit = rateLimit || 1_000_000;
      return andThen(count(\`key:\${String(id)}\`), (counted) => toAllowance(counted, limit));`,
  },
  {
    name: 'HEAD is not counted by the limit',
    file: 'src/contract/runtime/operations.ts',
    from: `    await countRequest(request);
    throw new MethodNotAllowed();`,
    to: `    if (request.method !== 'head') await countRequest(request);
    throw new MethodNotAllowed();`,
  },
  {
    name: 'concurrent requests are counted as the last of them',
    file: 'src/rateLimit/windowCounter.ts',
    from: 'return { points: window.points, leftMs: window.end - now };',
    to: `const counted = window;
      return new Promise((resolve) => {
        setImmediate(() => resolve({ points: counted.points, leftMs: counted.end - now }));
      });`,
  },
  {
    name: 'X-Forwarded-Proto counts from everybody',
    file: 'src/http/client.ts',
    from: `const scheme = forwarded('x-forwarded-proto') ??`,
    to: `const scheme = req.headers['x-forwarded-proto'] ??`,
  },
  {
    name: 'the description that is asked for first is served as both',
    file: 'src/http/servedDescription.ts',
    from: 'const name = `${path} ${url}`;',
    to: 'const name = url;',
  },
  {
    name: 'a revocation does not renew the cached list',
    file: 'src/vouchers/voucherTable.ts',
    from: `      await recordAudits(transaction, [audit]);
      await raiseRevisions(transaction, [\`site:\${siteId}\`]);`,
    to: `      await recordAudits(transaction, [audit]);
      if (siteId < 0) await raiseRevisions(transaction, [\`site:\${siteId}\`]);`,
  },
  {
    name: 'Allow names HEAD beside GET',
    file: 'src/contract/runtime/contractRouter.ts',
    from: '.map((method) => method.toUpperCase());',
    to: `.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));`,
  },
];
