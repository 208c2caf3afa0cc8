/** Configuration of the demo contest with two divisions, selected by email address. */
export const demoConfig = {
  ctfName: 'Harbour CTF',
  homeContent: [
    '# Harbour CTF',
    '',
    'A small contest to look around in: twelve challenges with real files, two divisions, and teams that play',
    'by themselves. Every flag can be found.',
  ].join('\n'),
  divisions: { open: 'Open', students: 'Students' },
  defaultDivision: 'open',
}
