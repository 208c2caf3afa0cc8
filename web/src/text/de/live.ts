import type { LiveMessages } from '../en/live.ts'
import { counted } from '../counted.ts'

export const live: LiveMessages = {
  title: 'Großbildschirm',
  leaderboard: 'Rangliste',
  bloods: 'First Bloods',
  activity: 'Neueste Lösungen',
  countdown: 'Countdown',
  wave: 'Nächste Aufgaben',
  announcements: 'Ankündigungen',
  facts: (teams, solves) => `${counted(teams, 'Team', 'Teams')}, ${counted(solves, 'Lösung', 'Lösungen')}`,
  bloodAgo: (ago) => `First Blood, ${ago}`,
  notYet: 'Die Rangliste öffnet mit dem Beginn des Events.',
  offline: 'Der Server antwortet nicht. Dies ist der letzte bekannte Stand.',
  wrongAddress: 'Diese Adresse stimmt nicht',
  wrongAddressHelp: 'Ändert die Adresse, oder stellt im Dashboard der Organisation eine neue zusammen.',
  problem: {
    panels:
      'panels muss eines oder mehrere von leaderboard, bloods, activity, countdown, announcements und wave sein, durch Kommas getrennt.',
    rows: 'rows muss eine ganze Zahl von 1 bis 25 sein.',
    division: 'division muss die ID einer Wertung dieses Events sein.',
    theme: 'theme muss dark, light oder auto sein.',
    scale: 'scale muss eine Zahl von 0.5 bis 3 mit höchstens zwei Nachkommastellen sein.',
    title: 'title darf höchstens 80 Zeichen haben.',
    background: 'background muss solid oder transparent sein.',
    moments: 'moments muss on oder off sein.',
    unknown:
      'Diesen Parameter gibt es nicht. Es gibt panels, rows, division, theme, scale, title, background und moments.',
    repeated: 'Dieser Parameter darf nur einmal vorkommen.',
  },
  composeTitle: 'Großbildschirm',
  composeHelp:
    'Eine Seite für einen Projektor oder ein Overlay im Stream. Sie braucht keine Anmeldung und zeigt, was alle sehen dürfen.',
  panels: 'Bereiche',
  allDivisions: 'Alle Wertungen',
  themes: { auto: 'Wie der Browser', dark: 'Dunkel', light: 'Hell' },
  scale: 'Größe',
  heading: 'Überschrift',
  headingHelp: 'Leer: der Name des Events.',
  noHeading: 'Keine Überschrift',
  transparent: 'Durchsichtiger Hintergrund, für ein Overlay',
  moments: 'Jedes First Blood einige Sekunden lang groß zeigen',
  address: 'Adresse',
  copy: 'Adresse kopieren',
  open: 'Öffnen',
  onePanel: 'Wählt mindestens einen Bereich.',
}
