import type { ImportedFile } from './contest.ts'

// Texts refer to files by markers until the files are stored and have a URL.

/** Stands for a file of the contest, by its number. */
export function markerOf(file: number): string {
  return `\u{f0000}${file}\u{f0001}`
}

const MARKER = /\u{f0000}(\d+)\u{f0001}/gu

export interface Links {
  /** The marker of a file. Equal links are one file. */
  add(file: ImportedFile): string
  readonly files: readonly ImportedFile[]
}

export function createLinks(): Links {
  const files: ImportedFile[] = []
  const known = new Map<string, string>()
  return {
    add(file) {
      const id = JSON.stringify([file.link, file.key])
      const marker = known.get(id) ?? markerOf(files.push(file) - 1)
      known.set(id, marker)
      return marker
    },
    files,
  }
}

/** Source texts could contain the characters of a marker. */
export function withoutMarkers(text: string): string {
  return text.replaceAll(/[\u{f0000}\u{f0001}]/gu, '\u{fffd}')
}

/** Replaces the markers in a text, in every text inside a value. */
export function resolveMarkers<T>(value: T, urlOf: (file: number) => string): T {
  if (typeof value === 'string')
    return value.replaceAll(MARKER, (_, number: string) => urlOf(Number(number))) as T
  if (Array.isArray(value)) return value.map((each: unknown) => resolveMarkers(each, urlOf)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, resolveMarkers(each as unknown, urlOf)]),
  ) as T
}
