/** The part of a mail with this type, decoded. */
export const mailPart = (raw: string, type: string): Buffer => {
  const part = raw.split(/\r\n--[^\r\n]+\r\n/).find((text) => text.startsWith(`Content-Type: ${type}`)) ?? '';
  const [headers = '', ...body] = part.split('\r\n\r\n');
  const content = body.join('\r\n\r\n');
  if (/base64/i.test(headers)) return Buffer.from(content, 'base64');
  const bytes = content
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
};
