import type { WebHandler } from '../handler.js';
import { toOptionalTime } from '../replies.js';
import { withProblem } from './controllerProblem.js';
import { formatCode } from '../../../src/vouchers/record.js';

export const listForeignVouchers: WebHandler<'listForeignVouchers'> = async (
  { input, reply, signal },
  { foreignVouchers },
) => {
  const none = { vouchers: [], total: 0, codeBlock: undefined };
  const { result, problem } = await withProblem(none, () => foreignVouchers.list(input.path.siteId, signal));
  return reply(200, {
    total: result.total,
    problem,
    vouchers: result.vouchers.map(({ expired: _, createdAt, expiresAt, ...voucher }) => ({
      ...voucher,
      formattedCode: formatCode(voucher.code, result.codeBlock),
      createdAt: toOptionalTime(createdAt),
      expiresAt: toOptionalTime(expiresAt),
    })),
  });
};
