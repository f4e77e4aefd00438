/** How often a service is killed in a test: a sample in `npm test`, 50 times in `npm run soak -- rounds`. */
export const kills = Number(process.env['KILLS'] ?? 2);
