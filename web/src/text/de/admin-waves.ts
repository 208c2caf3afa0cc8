import type { AdminWavesMessages } from '../en/admin-waves.ts'
import { counted } from '../counted.ts'

export const adminWaves: AdminWavesMessages = {
  page: 'Wellen',
  none: 'Noch keine Wellen.',
  new: 'Neue Welle',
  create: 'Welle anlegen',
  nameHelp: 'Spielerinnen und Spieler sehen ihn im Countdown und in der Ankündigung.',
  openAt: 'Öffnet um',
  openAtHelp:
    'Leer lassen, um die Zeit später festzulegen. Bis dahin sind die Aufgaben nicht veröffentlicht.',
  opens: 'Öffnet',
  notScheduled: 'keine Zeit',
  isOpen: 'offen',
  countdown: 'Den Teams einen Countdown und die Zahl der Aufgaben zeigen',
  announce: 'Beim Öffnen ankündigen',
  forward: 'Die Ankündigung auch an die eingerichteten Messenger senden',
  announcement: 'Text der Ankündigung',
  title: 'Titel',
  templateHelp:
    'Leer: der übliche Text. {wave} ist der Name, {challenges} die Liste der Aufgaben, {categories} ihre Kategorien, {count} ihre Anzahl.',
  noChallenges: 'Es gibt noch keine Aufgaben.',
  inOther: (name) => `in ${name}`,
  count: (count) => (count === 1 ? '1 Aufgabe' : `${count} Aufgaben`),
  players: 'Für Teams',
  withCountdown: 'Countdown',
  withAnnouncement: 'Ankündigung',
  announced: 'angekündigt',
  saved: (name) => `${name} gespeichert.`,
  editOf: (name) => `${name} bearbeiten`,
  move: 'Verschieben',
  moveOf: (name) => `${name} verschieben`,
  minutes: 'Minuten',
  minutesHelp: 'Negativ: früher.',
  later: (minutes) => `${minutes} min später`,
  earlier: (minutes) => `${minutes} min früher`,
  preview: (from, to) => `Von ${from} auf ${to}.`,
  opensNow: 'Diese Zeit ist vorbei: Die Aufgaben werden sofort veröffentlicht.',
  moved: (name, when) => `${name} öffnet jetzt ${when}.`,
  force: 'Trotzdem ändern, obwohl Teams einige dieser Aufgaben schon sehen',
  deleteOf: (name) => `${name} löschen`,
  deleteAbout: 'Ihre Aufgaben behalten die Zeit. Ohne Zeit werden sie versteckt.',
  check: {
    action: 'Prüfen',
    of: (name: string) => `Prüfung von ${name}`,
    about:
      'Dateien werden gelesen, Flags ausprobiert, von jeder Challenge wird eine Instanz gestartet und gestoppt, und der Admin-Bot macht einen Besuch. Die Spieler merken nichts.',
    run: 'Jetzt prüfen',
    runAgain: 'Erneut prüfen',
    close: 'Schließen',
    running: 'Die Prüfung läuft.',
    tooOften: (seconds: number) => `Zu viele Prüfungen. Versucht es in ${seconds} s erneut.`,
    busy: 'Eine andere Welle wird gerade geprüft. Wartet, bis das fertig ist.',
    never: 'Noch nichts geprüft.',
    progress: (done: number, total: number) =>
      `Prüfung läuft: ${done} von ${counted(total, 'Challenge', 'Challenges')} fertig.`,
    interrupted: (ago: string) => `Die Prüfung, die ${ago} begann, wurde unterbrochen. Startet sie erneut.`,
    finished: (ago: string) => `Geprüft ${ago}.`,
    attention: (count: number) =>
      count === 0
        ? 'Keine Challenge hat Probleme.'
        : count === 1
          ? '1 Challenge hat Probleme.'
          : `${count} Challenges haben Probleme.`,
    notChecked: 'Nicht geprüft.',
    passed: (passed: number, total: number) => `${passed} von ${total} Prüfungen bestanden.`,
    outdated: 'Die Challenge wurde seitdem geändert: prüft sie erneut.',
  },
  errors: {
    missing: 'Dieses Feld ist erforderlich.',
    badWave: 'Diese Welle wurde inzwischen gelöscht.',
    badWaveName: 'Eine andere Welle heißt schon so.',
    badWaveVersion: 'Jemand anderes hat diese Welle inzwischen geändert. Die Liste zeigt die neuen Werte.',
    badWaveCount: 'Es gibt zu viele Wellen. Löscht zuerst alte.',
    badWaveUnscheduled: 'Diese Welle hat keine Zeit. Legt zuerst eine fest.',
    badWaveReleased: 'Teams sehen einige dieser Aufgaben schon. Bestätigt die Änderung.',
  },
}
