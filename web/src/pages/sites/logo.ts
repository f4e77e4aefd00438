import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/api.ts';
import { readDataUrl } from '../../lib/dataUrl.ts';

/** The stored logo of a site. */
export const useLogo = (siteId: number, hasLogo: boolean) =>
  useQuery({
    queryKey: ['get', '/sites/{siteId}/logo', siteId],
    enabled: hasLogo,
    queryFn: async ({ signal }) => {
      const { data } = await client.GET('/sites/{siteId}/logo', {
        params: { path: { siteId } },
        parseAs: 'blob',
        signal,
      });
      return data ? readDataUrl(data) : null;
    },
  });
