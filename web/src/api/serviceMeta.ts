const metaOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';

/** What style elements need to be allowed. */
export const styleNonce = metaOf('style-nonce');

/** Where the API is, as seen from this browser. */
export const apiUrl = location.origin + metaOf('api-base');
