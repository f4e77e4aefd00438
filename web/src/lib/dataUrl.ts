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
