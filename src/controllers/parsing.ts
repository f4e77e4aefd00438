/** Answers are parsed leniently: numbers may come as text, and any field may be missing. */
export const asNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; empty for any other value. */
export const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Undefined for text that is not JSON. */
export const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** No voucher of any controller has a longer code or id. */
const maxCodeLength = 64;
const maxIdLength = 255;

/**
 * Undefined for anything that no code is: a voucher without one is not usable.
 * A number has lost its leading zeros.
 */
export const parseVoucherCode = (value: unknown): string | undefined => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
    return String(value).padStart(10, '0');
  const code = asText(value) ?? '';
  return code.length <= maxCodeLength && /^[\x21-\x7e]+$/.test(code) ? code : undefined;
};

/** Undefined for anything that no id is. */
export const parseId = (value: unknown): string | undefined => {
  const id = asText(value) ?? '';
  return id !== '' && id.length <= maxIdLength ? id : undefined;
};

/** How long to wait before the next request; a second if the controller does not say. */
export const parseRetryAfterMs = (header: string | undefined): number => {
  const seconds = asNumber(header);
  return seconds === undefined || seconds < 0 ? 1000 : seconds * 1000;
};
