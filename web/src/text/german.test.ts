import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { challenges } from './de/challenges.ts'

const folder = join(import.meta.dirname, 'de')
const lines = readdirSync(folder).flatMap((name) =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .map((line) => `${name}: ${line.trim()}`),
)

/** Pages that only one person uses. */
const TO_A_PERSON = /^person-[\w-]+\.ts:/

test('German texts address teams as "ihr", never as "Sie" or "du"', () => {
  // Capitalized inside a sentence, it is the polite form.
  const others = /[a-zäöüß,] (?:Sie|Ihr|Ihre[mnrs]?|Ihnen)\b|\b[Dd](?:u|ich|ir|eine?[mnrs]?)\b/
  const toTeams = lines.filter((line) => !TO_A_PERSON.test(line))
  expect(toTeams.filter((line) => others.test(line.replace(/^\S+ \w+: /, '')))).toEqual([])
})

test('German texts use one word for each concept', () => {
  const others = /Flagge|Klasse|Division'|Wertungsseite|Ranglistenseite|(?:[Ee]in|[Kk]ein|[Dd]as) Flag\b/
  expect(lines.filter((line) => others.test(line))).toEqual([])
})

test('the position of a solve is a sentence with one full stop', () => {
  expect(challenges.position(challenges.ordinal(12))).toBe('Ihr seid das 12. Team mit der Lösung.')
})
