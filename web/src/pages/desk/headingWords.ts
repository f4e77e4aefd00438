/** What spreadsheets write above a column of guests, in the languages of the pages; without accents, in lower case. */
const words = `
  name namen nachname vorname familienname zuname gast gaste gastname gastenamen teilnehmer teilnehmerin teilnehmerinnen
  teilnehmende person personen besucher besucherin kunde kundin firma firmen unternehmen organisation abteilung zimmer
  zimmernummer zimmernr raum nr nummer lfd anrede titel mail email telefon handy mobil bemerkung notiz anreise abreise
  names first last full given family surname firstname lastname fullname guest guests attendee attendees participant
  participants visitor visitors people customer customers company companies organization department room number no title phone
  mobile note notes arrival departure
  nom noms prenom prenoms invite invites invitee client clients cliente participante personne personnes visiteur visiteurs
  societe entreprise service chambre salle numero titre civilite courriel telephone portable remarque arrivee depart famille
  nome nomi cognome ospite ospiti partecipante partecipanti persona persone visitatore visitatori azienda ditta societa
  camera stanza titolo telefono cellulare nota arrivo partenza
  nombre nombres apellido apellidos huesped huespedes invitado invitados participantes personas visitante visitantes empresa
  compania organizacion habitacion sala titulo correo electronico movil notas llegada salida completo
  naam voornaam achternaam familienaam gasten deelnemer deelnemers persoon bezoeker bezoekers klant bedrijf organisatie kamer
  kamernummer telefoon mobiel opmerking notitie aankomst vertrek volledige
`;
const headingWords = new Set(words.trim().split(/\s+/));

/** Between them: "Vor- und Nachname", "nom et prénom", "e-mail". */
const connectors = new Set([
  'und',
  'and',
  'et',
  'e',
  'y',
  'en',
  'de',
  'di',
  'vor',
  'of',
  'the',
  'del',
  'der',
]);

const maxHeadingWords = 12;

/** Whether a line is the heading of a list, such as "Name;Firma": every word of it is one that headings have. */
export const isHeading = (line: string): boolean => {
  const found = line
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return (
    found.length <= maxHeadingWords &&
    found.some((word) => headingWords.has(word)) &&
    found.every((word) => headingWords.has(word) || connectors.has(word))
  );
};
