/** The cookies of one session, by name. Only one server ever sees them, so domain and path do not matter. */
export interface Cookies {
  /** Takes what an answer sets, and lets go of what it removes. */
  take(setCookie: readonly string[]): void;
  values(): readonly string[];
  get(name: string): string | undefined;
  /** The value of a `Cookie` header. */
  header(): string;
}

export const makeCookies = (): Cookies => {
  const cookies = new Map<string, string>();
  return {
    take: (setCookie) => {
      for (const line of setCookie) {
        const [pair = '', ...attributes] = line.split(';');
        const at = pair.indexOf('=');
        if (at < 1) continue;
        const name = pair.slice(0, at).trim();
        const value = pair.slice(at + 1).trim();
        const removed =
          value === '' || attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute));
        if (removed) cookies.delete(name);
        else cookies.set(name, value);
      }
    },
    values: () => [...cookies.values()],
    get: (name) => cookies.get(name),
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  };
};
