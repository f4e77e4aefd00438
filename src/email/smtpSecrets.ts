/** Hides the secrets of a mail server's address in its answers: a server may repeat what it was sent. */
export const makeHideSmtpSecrets = (smtpUrl: string): ((text: string) => string) => {
  const { username, password } = new URL(smtpUrl);
  const [user = '', secret = ''] = [username, password].map(decode);
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  const secrets =
    secret === ''
      ? []
      : [secret, password, encode(secret), encode(`\0${user}\0${secret}`)].sort(
          (a, b) => b.length - a.length,
        );
  return (text) => secrets.reduce((rest, known) => rest.replaceAll(known, '…'), text);
};

/** A part of an address as it was typed. */
export const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
