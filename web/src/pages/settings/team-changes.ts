/** Editable team fields as the form holds them; empty text means none. */
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

/** Builds the request. Contains only changed fields, so that a teammate's changes to others are kept. */
export function changesOf(saved: TeamValues, values: TeamValues) {
  return {
    ...(values.name === saved.name ? {} : { name: values.name }),
    ...(values.division === saved.division ? {} : { division: values.division }),
    ...(values.countryCode === saved.countryCode ? {} : { countryCode: values.countryCode || null }),
    ...(values.statusText === saved.statusText ? {} : { statusText: values.statusText || null }),
  }
}
