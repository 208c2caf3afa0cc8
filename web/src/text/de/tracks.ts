import type { TracksMessages } from '../en/tracks.ts'

export const tracks: TracksMessages = {
  title: 'KI und dieses Event',
  about: 'Jedes Team ist in einer Wertung. Sie sagt, wie das Team spielt und wofür seine Lösungen zählen.',
  none: 'Dieses Event hat keine Wertungen: In seinen Regeln steht, ob KI erlaubt ist.',
  first: 'Teams, die nichts angeben, sind in dieser Wertung.',
  track: 'Wertung',
  allTracks: 'Hauptrangliste',
  everyTrack: 'Alle Wertungen',
  without: (track) => `Ohne ${track}`,
  trackOf: (track) => `Wertung: ${track}`,
  trackPlace: (place, track) => `Platz ${place} in ${track}`,
  agentOf: (operator, model) => `Betrieben von ${operator}, Modell: ${model}`,
  assisted: 'Mit Hilfe eines Agenten',
  facts: {
    isRanked: { yes: 'In der Hauptrangliste.', no: 'Nicht in der Hauptrangliste, sondern in einer eigenen.' },
    affectsPoints: {
      yes: 'Ihre Lösungen senken die Punkte von Challenges.',
      no: 'Ihre Lösungen ändern die Punkte von Challenges nicht.',
    },
    takesBloods: { yes: 'Bekommt First Bloods.', no: 'Nimmt anderen Wertungen keine First Bloods weg.' },
    getsPrizes: { yes: 'Kann Preise gewinnen.', no: 'Kann keine Preise gewinnen.' },
    mayRegister: { yes: '', no: 'Nur das Orga-Team ordnet Teams dieser Wertung zu.' },
    namesAgent: { yes: 'Ihre Teams nennen Betreiber und Modell ihres Agenten.', no: '' },
  },
  free: (at) => `Bis ${at} kann euer Team jede Wertung wählen, danach nur noch eine mit weniger Regeln.`,
  locked:
    'Euer Team kann noch in eine Wertung mit weniger Regeln wechseln. Das lässt sich nicht rückgängig machen.',
  noChoice: 'Keine andere Wertung steht eurem Team offen. Fragt das Orga-Team.',
  ofTeam: 'Euer Team',
  ranked: (place, teams) => `Platz ${place} von ${teams} in dieser Wertung.`,
  operator: 'Betreiber des Agenten',
  operatorHelp: 'Wer ihn betreibt. Alle sehen es in eurem Profil.',
  model: 'Modell',
  declare: 'Diese Wertung angeben',
  declared: 'Wertung angegeben.',
  solves: 'Lösungen mit Hilfe eines Agenten',
  solvesAbout: 'Markiert jede Lösung, bei der ein Agent geholfen hat. Die Markierung steht neben der Lösung.',
  failures: {
    badTrack: 'Diese Wertung steht eurem Team nicht mehr offen. Lade die Seite neu.',
    badTrackAgent: 'Gebt Betreiber und Modell eures Agenten an.',
  },
}
