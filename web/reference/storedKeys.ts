import type { SwaggerPlugin } from './swaggerUi.ts';

const place = 'voucherd.keys';

type StoredKey = readonly [name: string, key: string];

const parseStored = (text: string | null): StoredKey[] => {
  const stored: unknown = JSON.parse(text ?? '{}');
  return Object.entries(Object(stored) as Record<string, unknown>).flatMap(([name, key]) =>
    typeof key === 'string' ? [[name, key] as const] : [],
  );
};

/** The keys that were entered last as long as the tab: a reload keeps them, another tab does not have them. */
export const readStoredKeys = (): StoredKey[] => {
  try {
    return parseStored(sessionStorage.getItem(place));
  } catch {
    return [];
  }
};

const storeKeys = (keys: readonly StoredKey[]): void => {
  try {
    sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(keys)));
  } catch {
    // Without storage the page forgets the keys when it is closed.
  }
};

/** Stores the keys that are entered, and forgets those that are taken back. */
export const keepKeys: SwaggerPlugin = {
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (given) => {
          const added = Object.entries(given).flatMap(([name, { value }]): StoredKey[] =>
            typeof value === 'string' ? [[name, value]] : [],
          );
          storeKeys([...readStoredKeys(), ...added]);
          return authorize(given);
        },
        logout: (logout) => (names) => {
          storeKeys(readStoredKeys().filter(([name]) => !names.includes(name)));
          return logout(names);
        },
      },
    },
  },
};
