/** How often two that happen at once are tried: a sample in `npm test`, 20 times in `npm run soak -- rounds`. */
export const raceRounds = Number(process.env['RACE_ROUNDS'] ?? 3);
