/** What can be changed of a team, as the form holds it: nothing chosen is an empty text. */
export interface TeamValues {
  readonly name: string
  readonly division: string
  readonly countryCode: string
  readonly statusText: string
}

interface TeamData {
  readonly name: string
  readonly division: string
  readonly countryCode: string | null
  readonly statusText: string | null
}

export function valuesOf({ name, division, countryCode, statusText }: TeamData): TeamValues {
  return { name, division, countryCode: countryCode ?? '', statusText: statusText ?? '' }
}

/** The request that turns one into the other: only what differs, so that a team mate's change of the rest stays. */
export function changesOf(saved: TeamValues, values: TeamValues) {
  return {
    ...(values.name === saved.name ? {} : { name: values.name }),
    ...(values.division === saved.division ? {} : { division: values.division }),
    ...(values.countryCode === saved.countryCode ? {} : { countryCode: values.countryCode || null }),
    ...(values.statusText === saved.statusText ? {} : { statusText: values.statusText || null }),
  }
}
