import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/api.ts';

/** What the service takes. */
export const maxLogoBytes = 256 * 1024;
export const logoTypes = 'image/png,image/jpeg';

/** A picture as an address that holds it: the policy of the pages allows no others but their own. */
export const readDataUrl = (picture: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('the picture can not be read')));
    reader.readAsDataURL(picture);
  });

/** The picture within such an address, in base64. */
export const base64Of = (dataUrl: string): string => dataUrl.slice(dataUrl.indexOf(',') + 1);

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
