/** A name as it stands in a JSON pointer: RFC 6901. */
export const toPointerSegment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The name that a part of a JSON pointer stands for. */
export const fromPointerSegment = (segment: string): string =>
  segment.replaceAll('~1', '/').replaceAll('~0', '~');
