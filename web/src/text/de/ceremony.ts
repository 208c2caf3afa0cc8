import type { CeremonyMessages } from '../en/ceremony.ts'
import { counted } from '../counted.ts'

export const ceremony: CeremonyMessages = {
  title: 'Siegerehrung',
  wrongAddress: 'Diese Adresse stimmt nicht',
  problem: {
    time: 'from und until müssen Zeitpunkte in Unix-Millisekunden sein, und from muss früher sein.',
    limit: 'limit muss eine ganze Zahl von 1 bis 100 sein.',
    pace: 'pace muss eine Anzahl Sekunden von 0.3 bis 30 sein.',
    division: 'division muss die ID einer Wertung dieses Events sein.',
    unknown: 'Diesen Parameter gibt es nicht. Es gibt from, until, limit, division und pace.',
  },
  start: (time) => `Die Rangliste um ${time}`,
  rest: (count, rank) =>
    `${counted(count, 'weiteres Team liegt', 'weitere Teams liegen')} hinter Rang ${rank}`,
  values: 'Aufgaben zählen jetzt so viel wie am Ende',
  solve: (team, challenge, points) =>
    `${team} hat ${challenge} gelöst: ${counted(points, 'Punkt', 'Punkte')}`,
  other: (team, points) =>
    `${team}: ${counted(points, 'Punkt', 'Punkte')} aus laufenden Wertungen und Anpassungen`,
  settle: (rank, team, score) => `Rang ${rank}: ${team}, ${counted(score, 'Punkt', 'Punkte')}`,
  podium: (team) => `${team} hat gewonnen`,
  standings: 'Rangliste',
  final: 'endgültig',
  solves: (count) => (count === 1 ? 'noch 1 Lösung' : `noch ${count} Lösungen`),
  next: 'Weiter',
  back: 'Zurück',
  play: 'Abspielen',
  pause: 'Pause',
  pace: 'Sekunden pro Schritt',
  faster: 'Schneller',
  slower: 'Langsamer',
  fullScreen: 'Vollbild',
  stepOf: (step, total) => `Schritt ${step} von ${total}`,
  keys: 'Leertaste, Pfeil- und Bildtasten blättern, P spielt ab, Plus und Minus ändern das Tempo, Pos1 und Ende springen, F schaltet Vollbild um, H blendet diese Leiste aus.',
  nobody: 'Noch hat niemand einen Rang.',
}
