import { Group, Text } from '@mantine/core';
import { brandPictureUrl, useBrand } from '../api/brand.ts';

/** The logo that administrators have chosen, or the ticket that sends, with the title. */
export const Logo = ({ size = 30 }: { readonly size?: number }) => {
  const { logo, title } = useBrand();
  if (logo) return <BrandLogo height={size * 1.3} />;
  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      <svg
        viewBox="0 0 48 48"
        width={size}
        height={size}
        fill="none"
        stroke="var(--page-accent)"
        strokeWidth={3}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        style={{ flexShrink: 0 }}
      >
        <path d="M7 20a4 4 0 0 0 4-4h26a4 4 0 0 0 4 4v8a4 4 0 0 0 0 8v0a4 4 0 0 0-4 4H11a4 4 0 0 0-4-4v0a4 4 0 0 0 0-8z" />
        <path d="M17 27a10 10 0 0 1 14 0M20.5 31a5 5 0 0 1 7 0" />
        <circle cx="24" cy="35" r="1" fill="currentColor" />
        <path d="M16 9a12 12 0 0 1 16 0" opacity=".55" />
      </svg>
      <Text component="span" fw={650} fz={size * 0.7} lts="-0.02em" className="brand-title" dir="auto">
        {title ?? 'voucherd'}
      </Text>
    </Group>
  );
};

interface BrandLogoProps {
  /** At most. */
  readonly height: number;
  /** For a page that has little else. */
  readonly isLarge?: boolean;
}

/** The chosen logo alone, on a ground that it can be seen on. Nothing where there is none. */
export const BrandLogo = ({ height, isLarge = false }: BrandLogoProps) => {
  const { logo, title } = useBrand();
  return logo ? (
    <img
      src={brandPictureUrl(logo.version)}
      alt={title ?? ''}
      className="brand-logo"
      data-tone={logo.tone}
      data-large={isLarge || undefined}
      style={{ maxHeight: height }}
    />
  ) : null;
};
