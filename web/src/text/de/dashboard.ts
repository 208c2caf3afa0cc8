import type { DashboardMessages } from '../en/dashboard.ts'
import { counted } from '../counted.ts'

export const dashboard: DashboardMessages = {
  title: 'Überblick',
  warnings: 'Handlungsbedarf',
  noWarnings: 'Kein Handlungsbedarf.',
  checksFailed: (count) =>
    `${count} ${count === 1 ? 'Prüfung ist' : 'Prüfungen sind'} fehlgeschlagen: siehe „Vor dem Beginn“.`,
  checksPassed: 'Alle Aufgabenprüfungen bestanden.',
  warningsHidden: 'Serverwarnungen sehen Veranstalter, die Teams verwalten dürfen.',
  numbers: 'Aktuell',
  submissions: 'Einreichungen (1 min)',
  submissionsPerMinute: 'Einreichungen pro Minute',
  correctOf: (count) => `${count} richtig`,
  thisHour: (count) => `+${count} diese Stunde`,
  minute: (count, correct) => `${counted(count, 'Einreichung', 'Einreichungen')}, ${correct} richtig`,
  now: 'jetzt',
  from: 'Ab',
  total: 'Gesamt',
  allSubmissions: 'Einreichungen',
  correct: 'richtig',
  notCorrect: 'nicht richtig',
  wrong: 'falsch',
  solvesOverTime: 'Lösungen im Verlauf',
  solvesSinceStart: (count) => `Lösungen seit dem Beginn: ${count}`,
  difficulty: 'Schwierigkeit',
  wrongPerRight: 'falsche je richtiger Flag, nach Lösungen',
  difficultyLabel: (count, unusual) =>
    `Falsche Flags je richtiger, nach Lösungen, von ${counted(count, 'Aufgabe', 'Aufgaben')}${unusual && `. Ungewöhnlich viele: ${unusual}`}`,
  solvedBy: (count) => counted(count, 'Lösung', 'Lösungen'),
  perCorrect: 'Falsche je richtiger',
  expected: 'Erwartet',
  unusual: (wrong, correct) =>
    `${counted(wrong, 'falsche Flag', 'falsche Flags')} und ${correct} richtige, weit mehr als erwartet. Flag und Beschreibung prüfen.`,
  categories: 'Kategorien',
  lastHour: (count, right) => `${count} in der letzten Stunde, ${right} richtig`,
  perMinute: 'Einreichungen pro Minute in der letzten Stunde',
  activeTeams: 'Aktive Teams (15 min)',
  ofTeams: (count) => `von ${count}`,
  verifications: 'Offene Registrierungen',
  waitingRegistrations: 'Wartende Registrierungen',
  instances: 'Instanzen',
  instanceStates: (starting, errored) => `${starting} starten, ${errored} fehlgeschlagen`,
  bot: 'Wartende Bot-Aufträge',
  botRunning: (count) => `${count} laufen`,
  mail: 'Wartende E-Mails und Nachrichten',
  standings: 'Verzug der Rangliste',
  seconds: (count) => `${count} s`,
  notReported: 'nicht gemeldet',
  clock: 'Browseruhr',
  screens: 'Auf Bildschirmen',
  bigScreen: 'Großbildschirm',
  ceremony: 'Siegerehrung',
  healthTitle: 'Zustand',
  health: 'Serverzustand',
  ready: 'bereit',
  notReady: 'nicht bereit',
  tookMs: (ms) => `Antwort nach ${ms} ms`,
  clockInSync: 'synchron',
  age: (seconds) => `${seconds} s alt`,
  oldest: (age) => `, ältester ${age}`,
  progress: 'Verlauf der Veranstaltung',
  startedAt: (time) => `Begonnen ${time}`,
  endsAt: (time) => `Ende ${time}`,
  released: (count, shown) => `${shown} ${count === 1 ? 'Aufgabe' : 'Aufgaben'}`,
  nextRelease: (time, challenges) => `Nächste Freigabe: ${time}, ${challenges}`,
  releasedHere: (challenges) => `${challenges} freigegeben`,
  checkList: 'Vor dem Beginn',
  unsolved: 'Ungelöste Aufgaben',
  nothingToSolve: 'Noch ist keine Aufgabe sichtbar.',
  allSolved: 'Jede Aufgabe wurde gelöst.',
  wrongAnswers: (count, shown) => `${shown} falsche ${count === 1 ? 'Flag' : 'Flags'}`,
  andMore: (count) => `und ${count} weitere`,
  where: {
    instances: 'Instanzen',
    verifications: 'Bestätigungen',
    settings: 'Einstellungen',
    challenges: 'Aufgaben',
    submissions: 'Einreichungen',
  },
  organiserSolves: {
    remove: 'Diese Lösungen entfernen',
    about: 'Zum Testen einer Flag „Flags ausprobieren“ verwenden, statt sie einzureichen.',
  },
  warningTexts: {
    endBeforeStart: () => 'Der Wettbewerb endet vor seinem Beginn.',
    organiserSolves: (names) =>
      `Teams von Veranstaltern haben Lösungen, die in der Rangliste zählen und Punkte senken: ${names}.`,
    mailFailing: (count) =>
      `${count} ${count === '1' ? 'Mail konnte' : 'Mails konnten'} nicht gesendet werden; es wird erneut versucht. Das Protokoll nennt den Grund.`,
    mailGivenUp: (count) =>
      `${count} ${count === '1' ? 'Mail konnte' : 'Mails konnten'} am letzten Tag nicht gesendet werden; es wird nicht mehr versucht.`,
    messagesFailing: (count) =>
      `${count} ${count === '1' ? 'Nachricht konnte' : 'Nachrichten konnten'} nicht gesendet werden; es wird erneut versucht. Das Protokoll nennt den Grund.`,
    messagesGivenUp: (count) =>
      `${count} ${count === '1' ? 'Nachricht konnte' : 'Nachrichten konnten'} am letzten Tag nicht gesendet werden; es wird nicht mehr versucht.`,
    workerMissing: () =>
      'Kein Prozess sendet Mails, speichert Platzierungen und räumt auf. Läuft einer, dessen `instanceType` nicht `frontend` ist?',
    standingsStale: () => 'Die Rangliste dieses Prozesses ist veraltet.',
    redisUnreachable: () =>
      'Redis antwortet nicht. Jeder Prozess begrenzt Anfragen für sich, und einmalige Links funktionieren nicht.',
    diskLow: (free) => `Auf der Platte der Datenbank sind noch ${free} GiB frei.`,
    fewOpenFiles: (count) =>
      `Dieser Prozess darf nur ${count} Dateien öffnen und nimmt deshalb weniger Verbindungen an, als \`http.maxConnections\` erlaubt. Die Grenze mit \`LimitNOFILE\` oder \`ulimit -n\` anheben.`,
    clockDifference: (seconds) =>
      `Die Uhren dieses Rechners und der Datenbank gehen um ${counted(seconds, 'Sekunde', 'Sekunden')} auseinander.`,
    botWithoutWorker: (count) =>
      count === '1'
        ? '1 Besuch des Admin-Bots wartet, und kein Worker übernimmt ihn.'
        : `${count} Besuche des Admin-Bots warten, und kein Worker übernimmt sie.`,
    botMissing: (names) => `Der Admin-Bot wird gebraucht, und keiner ist eingerichtet: ${names}.`,
    instancerUnreachable: (names) =>
      `Instanzen können nicht gestartet werden, wo eine Maschine nicht antwortet: ${names}.`,
    instancerMissing: (names) =>
      `Instanzen werden von einem Instancer verlangt, der nicht eingerichtet ist: ${names}.`,
    challengeWithoutFlag: (names) => `Ohne Flag ist eine Aufgabe für niemanden lösbar: ${names}.`,
    backupLate: (hours) =>
      hours === ''
        ? 'Es gibt noch kein Backup, obwohl `backup.schedule` gesetzt ist. Das Protokoll nennt den Grund.'
        : `Das letzte gute Backup ist ${counted(hours, 'Stunde', 'Stunden')} alt. Das Protokoll nennt den Grund.`,
    backupFailed: () =>
      'Das letzte geplante Backup ist fehlgeschlagen und wird wiederholt. Das Protokoll nennt den Grund.',
    registrationSurge: (count) =>
      `${counted(count, 'Team hat', 'Teams haben')} sich in den letzten 10 Minuten registriert. Falls unerwartet: Captcha verlangen oder \`registrationLimit\` senken.`,
    scoringSecretShared: (names) =>
      `Dynamische Aufgaben teilen sich ein \`scoringSecret\`; Punkte der einen können der anderen gemeldet werden: ${names}.`,
    proxyNotTrusted: (names) =>
      `Weiterleitungs-Header wurden ignoriert, weil der Absender nicht in \`proxy.trust\` steht. Wenn es der eigene Proxy ist, dort eintragen: ${names}.`,
    oneAddressDominates: (names) =>
      `Die meisten Anfragen kommen von einer Adresse, deren Ratenbegrenzung dann für alle gilt. \`proxy.trust\` prüfen und ob der Proxy X-Forwarded-For setzt: ${names}.`,
    pointsReversed: (names) => `Die Mindestpunkte übersteigen die Höchstpunkte: ${names}.`,
    releaseAfterEnd: (names) => `Erst nach dem Ende des Wettbewerbs freigegeben: ${names}.`,
  },
  findings: {
    scheduled: 'Der Wettbewerb hat keinen Beginn und öffnet daher nicht.',
    visible: 'Keine Aufgabe ist sichtbar.',
    times: 'Der Wettbewerb endet vor seinem Beginn.',
    registrations: 'Die Registrierung ist geschlossen, und der Wettbewerb hat noch nicht begonnen.',
    flag: 'Sichtbar ohne Flag, also für niemanden lösbar:',
    points: 'Die Mindestpunkte übersteigen die Höchstpunkte:',
    release: 'Erst nach dem Ende des Wettbewerbs freigegeben:',
    dynamicFlag: 'Team-Flags können ohne Instanz oder Admin-Bot nicht ausgeliefert werden:',
    files: 'Eine Datei lässt sich nicht herunterladen:',
    description: 'Der Wettbewerb beginnt in weniger als einer Stunde, und die Beschreibung fehlt:',
  },
  passed: {
    scheduled: 'Der Wettbewerb hat einen Beginn.',
    visible: 'Mindestens eine Aufgabe ist sichtbar.',
    times: 'Der Wettbewerb endet nach seinem Beginn.',
    registrations: 'Teams können sich registrieren.',
    flag: 'Jede sichtbare Aufgabe hat eine Flag.',
    points: 'Die Mindestpunkte übersteigen nie die Höchstpunkte.',
    release: 'Jede Aufgabe wird vor dem Ende freigegeben.',
    dynamicFlag: 'Team-Flags können ausgeliefert werden.',
    files: 'Alle gehosteten Dateien lassen sich herunterladen.',
    description: 'Jede sichtbare Aufgabe hat eine Beschreibung.',
  },
}
