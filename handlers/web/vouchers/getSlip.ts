import type { WebHandler } from '../handler.js';
import { languageOf } from '../replies.js';

export const getSlip: WebHandler<'getSlip'> = async ({ input, principal, reply }, { printing }) => {
  const { network, password, ...slip } = await printing.toSlip(
    input.path.voucherId,
    languageOf(input.query, principal),
    principal.user,
  );
  return reply(200, {
    siteName: slip.siteName,
    wifi: [
      ...(network ? [{ label: network.label, text: network.ssid }] : []),
      ...(password ? [password] : []),
    ],
    qrText: slip.qrText,
    codeLabel: slip.codeLabel,
    formattedCode: slip.formattedCode,
    facts: [slip.validity, slip.uses, ...(slip.limits?.split('\n') ?? [])],
    steps: [...slip.steps],
    text: slip.slipText,
    name: slip.name,
  });
};
