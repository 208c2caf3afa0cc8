export interface Filter {
  readonly field: string
  readonly not: boolean
  readonly values: readonly string[]
}

/** Additional filters in a URL are ignored. */
const MAX_FILTERS = 20
const MAX_VALUES = 100

/** Serializes filters for the URL: `field:a,b;!other:c`, each part percent-encoded. */
export function filtersToText(filters: readonly Filter[]): string {
  return filters
    .filter(({ values }) => values.length > 0)
    .map(({ field, not, values }) => `${not ? '!' : ''}${encode(field)}:${values.map(encode).join(',')}`)
    .join(';')
}

/** Parses the format of `filtersToText`. Invalid parts and unknown fields are ignored. */
export function filtersFromText(text: string, fields: readonly string[]): Filter[] {
  return text
    .split(';', MAX_FILTERS)
    .flatMap((part) => {
      const [, not, field, values] = /^(!?)([^:]+):(.+)$/.exec(part) ?? []
      if (field === undefined || values === undefined) return []
      const parts = values.split(',', MAX_VALUES).flatMap((value) => decode(value) ?? [])
      return [{ field: decode(field) ?? '', not: not === '!', values: parts }]
    })
    .filter(({ field, values }) => fields.includes(field) && values.length > 0)
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('!', '%21')
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
