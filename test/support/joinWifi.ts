/** A wireless network as a phone understands its QR code. */
export interface JoinedWifi {
  readonly type: string;
  readonly ssid: string;
  readonly password: string | undefined;
  readonly isHidden: boolean;
}

/** Reads the text of a QR code as phones do: fields end at a semicolon that no backslash escapes. */
export const joinWifi = (text: string | undefined): JoinedWifi => {
  const prefix = 'WIFI:';
  if (!text?.startsWith(prefix)) throw new Error(`no phone joins a network by ${String(text)}`);
  const fields = new Map<string, string>();
  let field = '';
  for (let at = prefix.length; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\\') field += text[(at += 1)] ?? '';
    else if (character !== ';') field += character;
    else {
      const colon = field.indexOf(':');
      if (colon > 0) fields.set(field.slice(0, colon), field.slice(colon + 1));
      field = '';
    }
  }
  return {
    type: fields.get('T') ?? '',
    ssid: fields.get('S') ?? '',
    password: fields.get('P'),
    isHidden: fields.get('H') === 'true',
  };
};
