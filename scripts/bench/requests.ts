import { siteCount } from './seed.js';

/** One of the requests that are measured. Variants are sent in turns. */
export interface BenchRequest {
  readonly name: 'sites' | 'vouchers' | 'create';
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly variants: readonly { readonly path: string; readonly body?: string }[];
}

/** The site whose list is asked for. */
const listedSite = 7;

/** The requests as a client with this key sends them. */
export const makeRequests = (key: string): Record<BenchRequest['name'], BenchRequest> => {
  const headers = { Authorization: `Bearer ${key}` };
  return {
    sites: {
      name: 'sites',
      title: 'GET /sites.php',
      method: 'GET',
      status: 200,
      headers,
      variants: [{ path: '/sites.php' }],
    },
    vouchers: {
      name: 'vouchers',
      title: 'GET /vouchers.php, 200 vouchers',
      method: 'GET',
      status: 200,
      headers,
      variants: [{ path: `/vouchers.php?site_id=${listedSite}` }],
    },
    create: {
      name: 'create',
      title: 'POST /vouchers.php, instant controller',
      method: 'POST',
      status: 201,
      headers: { ...headers, 'Content-Type': 'application/json' },
      variants: Array.from({ length: siteCount }, (_, index) => ({
        path: '/vouchers.php',
        body: JSON.stringify({
          site_id: index + 1,
          name: 'Familie Berger',
          max_uses: 2,
          expire_minutes: 1440,
        }),
      })),
    },
  };
};
