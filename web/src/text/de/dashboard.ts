import type { DashboardWords } from '../en/dashboard.ts'

export const dashboard: DashboardWords = {
  title: 'Überblick',
  warnings: 'Was Aufmerksamkeit braucht',
  allWell: 'Nichts braucht Aufmerksamkeit.',
  checksWell: 'Die Prüfungen der Aufgaben haben nichts gefunden.',
  notOverseen: 'Warnungen des Servers sehen alle, die Teams ändern dürfen.',
  numbers: 'Der Wettbewerb jetzt',
  submissions: 'Einreichungen in der letzten Minute',
  lastHour: (count, right) => `${count} in der letzten Stunde, ${right} richtig`,
  perMinute: 'Einreichungen je Minute, letzte Stunde; unten die richtigen',
  solves: 'Lösungen',
  activeTeams: 'Teams aktiv in 15 Minuten',
  ofTeams: (count) => `von ${count}`,
  verifications: 'Wartende Anmeldungen',
  instances: 'Instanzen',
  instanceStates: (starting, errored) => `${starting} starten, ${errored} gescheitert`,
  bot: 'Wartende Bot-Aufträge',
  botRunning: (count) => `${count} laufen`,
  mail: 'Wartende Mails und Nachrichten',
  standings: 'Alter der Rangliste',
  seconds: (count) => `${count} s`,
  notReported: 'nicht gemeldet',
  clock: 'Uhr dieses Browsers',
  health: 'Server und Speicher',
  ready: 'bereit',
  notReady: 'nicht bereit',
  tookMs: (ms) => `Antwort nach ${ms} ms`,
  clockRight: 'richtig',
  old: (seconds) => `${seconds} s alt`,
  oldest: (age) => `, ältester ${age}`,
  checkList: 'Vor dem Beginn',
  lastSolves: 'Letzte Lösungen',
  noSolves: 'Noch hat niemand etwas gelöst.',
  unsolved: 'Noch nicht gelöst',
  nothingToSolve: 'Noch ist keine Aufgabe zu sehen.',
  allSolved: 'Jede Aufgabe wurde gelöst.',
  wrongAnswers: (count, shown) =>
    `${shown} falsche ${count === 1 ? 'Antwort' : 'Antworten'} und keine richtige`,
  andMore: (count) => `und ${count} weitere`,
  where: {
    instances: 'Instanzen',
    verifications: 'Anmeldungen',
    settings: 'Einstellungen',
    challenges: 'Aufgaben',
    submissions: 'Einreichungen',
  },
  warningTexts: {
    mailFailing: (count) =>
      `${count} ${count === '1' ? 'Mail konnte' : 'Mails konnten'} nicht gesendet werden; es wird erneut versucht. Das Protokoll nennt den Grund.`,
    mailGivenUp: (count) =>
      `${count} ${count === '1' ? 'Mail konnte' : 'Mails konnten'} am letzten Tag nicht gesendet werden; es wird nicht mehr versucht.`,
    messagesFailing: (count) =>
      `${count} ${count === '1' ? 'Nachricht konnte' : 'Nachrichten konnten'} nicht gesendet werden; es wird erneut versucht. Das Protokoll nennt den Grund.`,
    messagesGivenUp: (count) =>
      `${count} ${count === '1' ? 'Nachricht konnte' : 'Nachrichten konnten'} am letzten Tag nicht gesendet werden; es wird nicht mehr versucht.`,
    workerAway: () =>
      'Kein Prozess sendet Mails, vermerkt Plätze und räumt auf. Läuft einer, dessen `instanceType` nicht `frontend` ist?',
    standingsStale: () => 'Die Wertung dieses Prozesses folgt der Datenbank nicht.',
    redisAway: () =>
      'Redis antwortet nicht. Jeder Prozess begrenzt Anfragen für sich, und einmalige Links versagen.',
    diskLow: (free) => `Auf der Platte der Datenbank sind noch ${free} GiB frei.`,
    clockDifference: (seconds) =>
      `Die Uhren dieses Rechners und der Datenbank gehen um ${seconds} Sekunden auseinander.`,
    botWithoutWorker: (count) =>
      count === '1'
        ? '1 Besuch des Admin-Bots wartet, und kein Worker übernimmt ihn.'
        : `${count} Besuche des Admin-Bots warten, und kein Worker übernimmt sie.`,
    botMissing: (names) => `Der Admin-Bot wird gebraucht, und keiner ist eingerichtet: ${names}.`,
    instancerAway: (names) =>
      `Instanzen können nicht gestartet werden, wo eine Maschine nicht antwortet: ${names}.`,
    instancerMissing: (names) =>
      `Instanzen werden von einem Instancer verlangt, der nicht eingerichtet ist: ${names}.`,
    challengeWithoutFlag: (names) => `Ohne Flag ist eine Aufgabe für niemanden lösbar: ${names}.`,
    scoringSecretShared: (names) =>
      `Dynamische Aufgaben teilen sich ein \`scoringSecret\`; Punkte der einen können der anderen gemeldet werden: ${names}.`,
    pointsReversed: (names) => `Die wenigsten Punkte sind mehr als die meisten: ${names}.`,
    releaseAfterEnd: (names) => `Erst nach dem Ende des Wettbewerbs freigegeben: ${names}.`,
  },
  findings: {
    times: 'Der Wettbewerb endet vor seinem Beginn.',
    registrations: 'Die Anmeldung ist geschlossen, und der Wettbewerb hat nicht begonnen.',
    flag: 'Sichtbar ohne Flag, also für niemanden lösbar:',
    points: 'Die wenigsten Punkte sind mehr als die meisten:',
    release: 'Erst nach dem Ende des Wettbewerbs freigegeben:',
    dynamicFlag: 'Die Flag jedes Teams erreicht ohne Instanz oder Admin-Bot niemanden:',
    files: 'Eine Datei antwortet nicht:',
    description: 'Der Wettbewerb beginnt in weniger als einer Stunde, und die Beschreibung fehlt:',
  },
  fine: {
    times: 'Der Wettbewerb endet nach seinem Beginn.',
    registrations: 'Teams können sich anmelden.',
    flag: 'Jede sichtbare Aufgabe hat eine Flag.',
    points: 'Die Punkte jeder Aufgabe sind in Ordnung.',
    release: 'Jede Aufgabe wird vor dem Ende freigegeben.',
    dynamicFlag: 'Die Flags jedes Teams erreichen es.',
    files: 'Jede Datei dieses Servers antwortet.',
    description: 'Eine Stunde vor dem Beginn fehlt keine Beschreibung.',
  },
}
