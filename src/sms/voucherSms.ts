import { labelled, type VoucherSlip } from '../printing/voucherSlip.js';
import { toStoredLine } from '../lib/label.js';
import { countSmsParts, toSmsCharacters } from './smsLength.js';

/** Each part is charged. */
const maxParts = 2;
const maxSiteCharacters = 60;

/**
 * The SMS with a voucher: the site, the network with its password, the code and how long it is valid.
 * What does not fit into two SMS is left out from the least needed on; network,
 * password and code always stay, exactly as they are.
 */
export const composeVoucherSms = (slip: VoucherSlip): string => {
  const { network, password, codeLabel, formattedCode, smsText } = slip;
  if (smsText?.includes(formattedCode)) return smsText;
  const site = toSmsCharacters(cutWords(toStoredLine(slip.siteName, 255)));
  const plain = { direction: slip.direction, colon: toSmsCharacters(slip.colon) };
  const needed = [
    network && labelled(plain, toSmsCharacters(network.label), network.ssid),
    password && labelled(plain, toSmsCharacters(password.label), password.text),
    labelled(plain, toSmsCharacters(codeLabel), formattedCode),
  ];
  const validity = toSmsCharacters(slip.validity);
  const join = (lines: readonly (string | undefined)[]): string => lines.filter(Boolean).join('\n');
  // Administrators see what their own text costs.
  if (smsText !== undefined) return join([smsText, ...needed, validity]);
  const candidates = [[site, ...needed, validity], [...needed, validity], needed].map(join);
  return candidates.find((text) => countSmsParts(text) <= maxParts) ?? join(needed);
};

/** As many words as fit. */
const cutWords = (text: string): string => {
  if (text.length <= maxSiteCharacters) return text;
  const start = text.slice(0, maxSiteCharacters - 1);
  const end = start.lastIndexOf(' ');
  const words = start.slice(0, end > 0 ? end : start.length).toWellFormed();
  return `${words.replace(/[,;:.–-]$/, '')}…`;
};
