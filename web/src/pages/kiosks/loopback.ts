/** Does a host of an address mean the machine itself, so that no other one reaches it? */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host);
