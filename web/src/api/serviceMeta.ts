const metaOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';

/** What style elements need to be allowed. */
export const styleNonce = metaOf('style-nonce');

/** The path that everything of the service is below: empty, or `/wifi`. */
export const basePath = metaOf('base-path');

/** Is the service a demo? */
export const isDemo = metaOf('is-demo') === 'true';

/** How the pages look, as JSON. */
export const documentBranding = metaOf('branding');

/** Where the service is, as seen from this browser. */
export const serviceUrl = location.origin + basePath;
