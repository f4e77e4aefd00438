const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it may stand in HTML, in an attribute too. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** HTML that is put in as it is. */
export interface Raw {
  readonly html: string;
}

export const raw = (html: string): Raw => ({ html });

/** One element; texts inside it are escaped. Attributes that are empty are left out. */
export const element = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (string | Raw)[]
): Raw => {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
  const inside = content.map((part) => (typeof part === 'string' ? escapeHtml(part) : part.html));
  return raw(`<${name}${written.join('')}>${inside.join('')}</${name}>`);
};
