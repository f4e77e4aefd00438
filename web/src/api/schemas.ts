import type { components } from '../../../generated/web.ts';

/** What web.yaml describes. Apart from the client, for what runs without a browser, too. */
export type Schemas = components['schemas'];
