import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/api.ts';
import { readDataUrl } from '../../lib/dataUrl.ts';

/** What the service takes. */
export const maxLogoBytes = 256 * 1024;
export const logoTypes = 'image/png,image/jpeg';

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
