import type { AdminTracksMessages } from '../en/admin-tracks.ts'

export const adminTracks: AdminTracksMessages = {
  tracks: 'Wertungen für Menschen und Agenten',
  about:
    'Von der strengsten zur freiesten. Teams, die nichts angeben, sind in der ersten. Ohne Wertungen erscheint nichts davon.',
  track: 'Wertung',
  moved: 'Team verschoben',
  reason: 'Grund',
  reasonHelp: 'Für das Aktionsprotokoll.',
  needsReason: 'Gib einen Grund an.',
  move: 'Team verschieben',
  add: { human: 'Menschen hinzufügen', assisted: 'Unterstützte hinzufügen', agent: 'Agenten hinzufügen' },
  presets: {
    human: {
      label: 'Menschen',
      policy: 'Keine KI, die Challenges löst. Suchmaschinen und Code-Vervollständigung sind erlaubt.',
    },
    assisted: { label: 'Unterstützt', policy: 'Menschen spielen und dürfen KI um Hilfe bitten.' },
    agent: {
      label: 'Autonome Agenten',
      policy: 'KI spielt selbstständig. Nennt ihren Betreiber und ihr Modell.',
    },
  },
  label: 'Name',
  policy: 'Regeln für Spielende',
  switches: {
    mayRegister: 'Teams können sie angeben',
    isRanked: 'In der Hauptrangliste',
    affectsPoints: 'Ihre Lösungen senken die Punkte von Challenges',
    takesBloods: 'Bekommt First Bloods',
    getsPrizes: 'Kann Preise gewinnen',
    namesAgent: 'Teams nennen Betreiber und Modell',
  },
  lock: 'Gesperrt ab',
  lockHelp: 'Ab dann wechseln Teams nur noch in eine freiere Wertung. Leer: der Beginn des Events.',
  full: 'Es gibt schon so viele Wertungen wie möglich.',
  none: 'keine',
}
