import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PLURALS =
  /(?:^|[^\d.,])1 (?:\S+ )?(?:points|solves|teams|challenges|submissions|files|rows|flags|hints|hours|days|tries|times|others|changes|lines|Punkten?|Lösungen|Teams|Aufgaben|Challenges|Einreichungen|Dateien|Zeilen|Flags|Hinweise|Stunden|Tage|Versuchen?|Minuten|Änderungen|Sekunden)\b/

/** Names, shares, and limits, which are far above 1. */
const OTHERS = /How 1 |meldet 1 |1 aller |der 1 Ch|[Ff]irst 1 |ersten 1 |has 1 |schon 1 |nur 1 /

/** All texts of a catalogue, with 1 for each number. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf)
  if (typeof value !== 'function') return []
  try {
    return textsOf((value as (...args: unknown[]) => unknown)(1, 1, 1))
  } catch {
    // Takes something else than numbers.
    return []
  }
}

const files = ['en', 'de'].flatMap((language) =>
  readdirSync(join(import.meta.dirname, language)).map((name) => `./${language}/${name}`),
)

test.each(files)('%s has no plural after 1', async (file) => {
  const texts = textsOf(await import(file))
  expect(texts.length).toBeGreaterThan(0)
  expect(texts.filter((text) => PLURALS.test(text) && !OTHERS.test(text))).toEqual([])
})
