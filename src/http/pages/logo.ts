/** The logo: a ticket that sends. Its colour is that of the text around it. */
export const logo = `<svg viewBox="0 0 48 48" width="40" height="40" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
  <path d="M7 20a4 4 0 0 0 4-4h26a4 4 0 0 0 4 4v8a4 4 0 0 0 0 8v0a4 4 0 0 0-4 4H11a4 4 0 0 0-4-4v0a4 4 0 0 0 0-8z"/>
  <path d="M17 27a10 10 0 0 1 14 0M20.5 31a5 5 0 0 1 7 0"/><circle cx="24" cy="35" r="1" fill="currentColor"/>
  <path d="M16 9a12 12 0 0 1 16 0" opacity=".55"/>
</svg>`;

/** The logo as a file of its own: there is no text whose colour it could take. */
export const logoFile = logo
  .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
  .replaceAll('currentColor', '#0b6e6e');
