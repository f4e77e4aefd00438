import { useMemo } from 'react';
import { encode } from 'uqr';

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
  readonly size?: number | string;
}

/** Black on white also in the dark: not every camera reads the inverse. */
export const QrCode = ({ text, label, size: width = 220 }: QrCodeProps) => {
  const { size, path } = useMemo(() => {
    const code = encode(text, { border: 2 });
    const dark = code.data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${String(x)} ${String(y)}h1v1h-1z`] : [])),
    );
    return { size: code.size, path: dark.join('') };
  }, [text]);
  return (
    <svg
      viewBox={`0 0 ${String(size)} ${String(size)}`}
      width={width}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      style={{ display: 'block', flexShrink: 0, background: '#fff', borderRadius: 8 }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
};
