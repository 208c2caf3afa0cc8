import type { FieldMessages } from '../en/fields.ts'

export const fields: FieldMessages = {
  none: 'Keine Angabe',
  requiredConsent: (label) => `${label} (erforderlich)`,
  problems: {
    missing: 'Dieses Feld ist erforderlich.',
    unknown: 'Danach wird nicht mehr gefragt. Ladet die Seite neu.',
    text: 'Dieser Text ist zu lang oder hat Zeichen, die sich nicht anzeigen lassen.',
    choice: 'Wählt einen der Werte aus der Liste.',
    number: 'Gebt eine Zahl innerhalb der Grenzen des Feldes ein.',
    date: 'Gebt ein Datum innerhalb der Grenzen des Feldes ein.',
    country: 'Wählt ein Land.',
    consent: 'Der Text hat sich geändert. Ladet die Seite neu und lest ihn noch einmal.',
  },
  ofTeam: 'Angaben zum Team',
  ofPerson: 'Eigene Angaben',
  aboutTeam: 'Danach fragen die Veranstalter euer Team.',
  aboutPerson: 'Danach fragen die Veranstalter jede Person. Nur sie selbst sieht und ändert alles davon.',
  seen: {
    organisers: 'Das sehen nur die Veranstalter.',
    team: 'Das sieht euer Team.',
    everyone: 'Das sehen alle.',
  },
  missing: (labels) => `Noch nötig: ${labels}.`,
  toSettings: 'In den Einstellungen beantworten',
  saved: 'Gespeichert',
  eligibility: 'Berechtigung',
  results: { eligible: 'Berechtigt', not: 'Nicht berechtigt', unknown: 'Noch offen' },
  decided: 'Von den Veranstaltern entschieden.',
  decidedBecause: (reason) => `Von den Veranstaltern entschieden: ${reason}`,
  reasons: {
    team: 'Erforderliche Angaben des Teams fehlen.',
    answers: (people) =>
      people === 1
        ? 'Erforderliche Angaben einer Person fehlen.'
        : `Erforderliche Angaben von ${people} Personen fehlen.`,
    people: 'Das Team hat noch keine Personen.',
  },
  conditions: {
    age: (date, min, max) =>
      min !== undefined && max !== undefined
        ? `Von ${min} bis ${max} Jahre alt am ${date}`
        : max === undefined
          ? `Mindestens ${min ?? 0} Jahre alt am ${date}`
          : `Höchstens ${max} Jahre alt am ${date}`,
    country: (label, countries) => `${label}: eines von ${countries}`,
    notCountry: (label, countries) => `${label}: keines von ${countries}`,
    teamCountry: 'Land des Teams',
    domain: (domains) => `E-Mail-Adresse von ${domains}`,
    choice: (label, values) => `${label}: ${values}`,
  },
  who: { team: 'das Team', all: 'alle Personen', any: 'mindestens eine Person' },
  condition: (text, who) => `${text} (${who})`,
  fails: (people) =>
    people === undefined
      ? 'trifft nicht zu'
      : people === 1
        ? 'trifft auf eine Person nicht zu'
        : `trifft auf ${people} Personen nicht zu`,
  isOpen: (people) =>
    people === undefined
      ? 'noch keine Angabe'
      : people === 1
        ? 'noch keine Angabe einer Person'
        : `noch keine Angabe von ${people} Personen`,
  reason: (condition, what) => `${condition}: ${what}.`,
}
