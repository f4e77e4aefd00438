import type { Schemas } from '../../api/schemas.ts';

const side = 64;

/** How bright a picture with transparent parts is, as the service measures it when it is stored. */
export const readTone = async (address: string): Promise<NonNullable<Schemas['BrandLogo']>['tone']> => {
  const picture = new Image();
  picture.src = address;
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
  const context = canvas.getContext('2d');
  try {
    await picture.decode();
  } catch {
    return 'opaque';
  }
  if (!context) return 'opaque';
  context.drawImage(picture, 0, 0, side, side);
  const { data } = context.getImageData(0, 0, side, side);
  let [brightness, weight] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    brightness += (0.2126 * red + 0.7152 * green + 0.0722 * blue) * alpha;
    weight += alpha;
  }
  if (weight === 255 * side * side) return 'opaque';
  return brightness / Math.max(weight, 1) > 150 ? 'light' : 'dark';
};
