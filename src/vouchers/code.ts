/** The display form of a code: blocks of five, joined by a dash. */
export const formatCode = (code: string): string => code.replaceAll(/(.{5})(?=.)/gu, '$1-');

const two = (number: number): string => String(number).padStart(2, '0');

/** The name under which a voucher is stored: the server's local date, an underscore, and the client's name. */
export const storedName = (name: string, at: number): string => {
  const date = new Date(at);
  const year = String(date.getFullYear()).padStart(4, '0');
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}_${name}`;
};
