import { expect, test } from '@jest/globals';
import { isHeading } from '../../web/src/pages/desk/headingWords.ts';
import { csvToLines, decodeCsv, parseNames } from '../../web/src/pages/desk/nameList.ts';

test('each line is a name; empty lines are left out, and lines are counted as an editor does', () => {
  expect(parseNames('Anna  Berger \r\n\n\tBen\rCleo\n')).toEqual({
    names: ['Anna Berger', 'Ben', 'Cleo'],
    problems: [],
    repeated: [],
  });
  expect(parseNames(' \n\n').names).toEqual([]);
});

test('names that are too long or too many are told with their lines, and a repeated one is only pointed out', () => {
  const long = 'x'.repeat(256);
  expect(parseNames(`Anna\n\n${long}\nanna`)).toMatchObject({
    problems: [{ kind: 'too-long', line: 3 }],
    repeated: [{ line: 4, first: 1, name: 'anna' }],
  });
  expect(parseNames('😀'.repeat(255)).problems).toEqual([]);
  expect(parseNames('a\n'.repeat(500)).problems).toEqual([]);
  expect(parseNames('a\n'.repeat(501)).problems).toEqual([{ kind: 'too-many', count: 501 }]);
});

test('the cells of a line of a CSV file are one name, whatever separates them', () => {
  const expected = 'Anna Berger 12\nBen "B" Öz';
  expect(csvToLines('\uFEFFAnna;Berger;12\r\n"Ben ""B""";Öz;\r\n')).toBe(expected);
  expect(csvToLines('Anna,Berger,12\n"Ben ""B""",Öz,')).toBe(expected);
  expect(csvToLines('Anna\tBerger\t12\n"Ben ""B"""\tÖz\t')).toBe(expected);
  expect(csvToLines('"Berger, Anna";12\n"two\nlines";x')).toBe('Berger, Anna 12\ntwo lines x');
  expect(csvToLines('Anna\nBen')).toBe('Anna\nBen');
});

test('a file of a spreadsheet on Windows keeps its umlauts', () => {
  expect(decodeCsv(new Uint8Array([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72]).buffer)).toBe('Müller');
  expect(decodeCsv(new TextEncoder().encode('Müller').buffer)).toBe('Müller');
});

test('the heading of a list is recognised in every language of the pages', () => {
  const headings = [
    [
      'Name;Firma',
      'Name Firma',
      'Gast',
      'GÄSTE',
      'Vor- und Nachname',
      'Nr.\tName\tZimmer',
      'Nachname, Vorname',
      'E-Mail',
    ],
    ['Name,Company', 'First name;Last name', 'Guests', 'Full name | Room no.', 'Attendee'],
    ['Nom;Prénom', 'Nom et prénom', 'Nom de famille;Société', 'Invité', 'Clients'],
    ['Nome e cognome', 'Ospite;Azienda', 'Cognome\tCamera'],
    ['Nombre y apellidos', 'Huéspedes', 'Nombre;Habitación', 'Correo electrónico'],
    ['Naam;Bedrijf', 'Voornaam en achternaam', 'Gasten', 'Volledige naam'],
  ].flat();
  expect(headings.filter((line) => !isHeading(line))).toEqual([]);
});

test('a name is no heading, even if a part of it could be one', () => {
  const names = [
    'Anna Zimmer',
    'Berger Firma GmbH',
    'Zimmer 12',
    'Room 7',
    '12',
    '',
    '; ;',
    'Nomi Malone',
    'De Vries',
  ];
  expect(names.filter(isHeading)).toEqual([]);
  expect(isHeading('name '.repeat(20_000))).toBe(false);
});

test('a heading is left out when it is said to be one, and cells of a pasted table are one name', () => {
  expect(parseNames('Name;Firma\nAnna;Acme\n\nBen;Acme', { hasHeading: true }).names).toEqual([
    'Anna Acme',
    'Ben Acme',
  ]);
  expect(parseNames('Anna; Ben\nCleo').names).toEqual(['Anna; Ben', 'Cleo']);
});

test('a line that is pasted as CSV loses its quotes, and quotes that are part of a name stay', () => {
  const namesOf = (text: string) => parseNames(text).names;
  expect(namesOf('"Anna ""Lu"" Żak";14\r\n"Berger; Ben";"15"')).toEqual([
    'Anna "Lu" Żak 14',
    'Berger; Ben 15',
  ]);
  expect(namesOf('"Berger, Anna",12\nBen,13')).toEqual(['Berger, Anna 12', 'Ben,13']);
  expect(namesOf('"Berger, Anna"\n"Anna ""Lu"" Żak"\t14')).toEqual(['Berger, Anna', 'Anna "Lu" Żak 14']);
  const meant = ['Anna "Lu" Żak', '"Lu" Żak', 'Room 5"', '"Lu', 'Berger, Anna'];
  expect(namesOf(meant.join('\n'))).toEqual(meant);
  expect(namesOf('"Lu" Żak;14\n5";15')).toEqual(['"Lu" Żak 14', '5" 15']);
});
