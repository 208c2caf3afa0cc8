import type { ReplayMessages } from '../en/replay.ts'
import { counted } from '../counted.ts'

export const replay: ReplayMessages = {
  title: 'Wiedergabe',
  play: 'Abspielen',
  pause: 'Pause',
  speed: 'Tempo',
  speeds: { slow: 'Langsam', normal: 'Normal', fast: 'Schnell' },
  close: 'Zurück zur aktuellen Rangliste',
  asOf: (time, teams) => `${time}: ${counted(teams, 'Team', 'Teams')} mit Rang`,
  nobody: 'Noch hatte niemand Punkte.',
  standings: 'Rangliste zu diesem Zeitpunkt',
  rank: (rank) => `Rang ${rank}`,
  points: (text) => counted(text, 'Punkt', 'Punkte'),
  previous: 'Vorherige Teams',
  next: 'Nächste Teams',
  range: (from, to, total) => `${from} bis ${to} von ${total}`,
}
