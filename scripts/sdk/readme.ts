import type { ContractDocument } from '../../src/contract/contract.js';
import { methodsOf } from './clientSource.js';

/** What somebody reads who has just installed the client. */
export const readmeOf = (document: ContractDocument): string => `# voucherd-client

The TypeScript client of the ${document.info.title}, version ${document.info.version}. Types and methods are made from the contract of the service.

\`\`\`ts
import { createVoucherClient, isApiError } from 'voucherd-client';

const vouchers = createVoucherClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.VOUCHER_KEY ?? '' });

const { sites } = await vouchers.listSites();
try {
  const voucher = await vouchers.createVoucher({ site_id: sites[0]?.id ?? 1, name: 'Familie Berger' });
  console.log(voucher.formatted_code);
} catch (error) {
  if (isApiError(error) && error.code === 'not_found') console.log('no such site');
  else throw error;
}
\`\`\`

| method | request | what it does |
|---|---|---|
${methodsOf(document)
  .map(({ operationId, call, path, summary }) => `| \`${operationId}\` | \`${call} ${path}\` | ${summary} |`)
  .join('\n')}

- **Errors** are \`VoucherApiError\` with \`status\`, \`code\`, \`message\`, \`requestId\` and \`retryAfter\`. \`isApiError\` narrows \`code\` to those that the contract knows.
- **Repetition**: what was refused for a while (429, 409, 5xx) or broke on the way is sent again up to three times, after the time that \`Retry-After\` asks for. \`retry\` changes or switches off that.
- **No voucher twice**: each \`createVoucher\` carries an \`Idempotency-Key\` of its own, which its repetitions keep. Give \`idempotencyKey\` to make your own repetitions safe as well, after a crash for instance.
- **\`raw\`** is the [openapi-fetch](https://openapi-ts.dev/openapi-fetch/) client beneath: every path and header of the contract, typed.

Node 20 or newer, or any browser.
`;
