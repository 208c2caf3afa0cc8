import { catalogue } from '../catalogue.ts'

/** What organisers ask teams and people for, and eligibility. */
export const fieldMessages = catalogue('fields', {
  none: 'No answer',
  requiredConsent: (label: string) => `${label} (required)`,
  problems: {
    missing: 'This field is required.',
    unknown: 'This is no longer asked. Reload the page.',
    text: 'This text is too long, or has characters that cannot be shown.',
    choice: 'Choose one of the listed values.',
    number: 'Enter a number within the limits of this field.',
    date: 'Enter a date within the limits of this field.',
    country: 'Choose a country.',
    consent: 'The text has changed. Reload the page and read it again.',
  },
  ofTeam: 'Team details',
  ofPerson: 'Your details',
  aboutTeam: 'The organisers ask your team for this.',
  aboutPerson: 'The organisers ask you for this. Only you see and change all of it.',
  seen: {
    organisers: 'Only organisers see this.',
    team: 'Your team sees this.',
    everyone: 'Everyone sees this.',
  },
  missing: (labels: string) => `Still needed: ${labels}.`,
  toSettings: 'Answer in the settings',
  saved: 'Saved',
  eligibility: 'Eligibility',
  results: { eligible: 'Eligible', not: 'Not eligible', unknown: 'Not decided yet' },
  decided: 'Decided by the organisers.',
  decidedBecause: (reason: string) => `Decided by the organisers: ${reason}`,
  reasons: {
    team: 'Required answers of the team are missing.',
    answers: (people: number) =>
      people === 1
        ? 'Required answers of one person are missing.'
        : `Required answers of ${people} people are missing.`,
    people: 'The team has no people yet.',
  },
  conditions: {
    age: (date: string, min: number | undefined, max: number | undefined) =>
      min !== undefined && max !== undefined
        ? `From ${min} to ${max} years old on ${date}`
        : max === undefined
          ? `At least ${min ?? 0} years old on ${date}`
          : `At most ${max} years old on ${date}`,
    country: (label: string, countries: string) => `${label}: one of ${countries}`,
    notCountry: (label: string, countries: string) => `${label}: none of ${countries}`,
    teamCountry: 'Country of the team',
    domain: (domains: string) => `Email address of ${domains}`,
    choice: (label: string, values: string) => `${label}: ${values}`,
  },
  who: { team: 'the team', all: 'all people', any: 'at least one person' },
  condition: (text: string, who: string) => `${text} (${who})`,
  fails: (people: number | undefined) =>
    people === undefined
      ? 'does not apply'
      : people === 1
        ? 'does not apply to one person'
        : `does not apply to ${people} people`,
  isOpen: (people: number | undefined) =>
    people === undefined
      ? 'no answer yet'
      : people === 1
        ? 'no answer of one person yet'
        : `no answer of ${people} people yet`,
  reason: (condition: string, what: string) => `${condition}: ${what}.`,
})

export type FieldMessages = typeof fieldMessages.english
