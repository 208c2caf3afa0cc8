import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const here = import.meta.dirname
const read = (path: string) => readFileSync(join(here, path), 'utf8')
const [, section = ''] = read('../../../../docs/operate/doctor.md').split('\n## By symptom\n')
const lines = [...(section.split('\n## ')[0] ?? '').matchAll(/\| `([\w-]+): ([^`]+)`/g)]

const checks = readdirSync(here)
  .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
  .map(read)
/** They word what some checks find. */
const others = ['../../lib/open-files.ts', '../../cli/doctor.ts'].map(read)

/** A template of variables alone would fit everything. */
const LEAST_WORDS = 3
const exactly = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** What the texts of a source can become: variables are anything, and a check adds a full stop. */
function patternsIn(source: string): RegExp[] {
  return [...source.matchAll(/`((?:[^`\\]|\\.)*)`|'([^'\n]*)'/g)]
    .map(([, template, plain = '']) => (template ?? plain).split(/\$\{[^}]*\}/))
    .filter((parts) => (parts.join(' ').match(/\p{L}{2,}/gu)?.length ?? 0) >= LEAST_WORDS)
    .map((parts) => new RegExp(`^${parts.map(exactly).join('.+')}\\.?$`))
}

test('every line that the page quotes is one that its check can print', () => {
  expect(lines.length).toBeGreaterThan(12)
  for (const [line, name, finding = ''] of lines) {
    const source = checks.find((text) => text.includes(`name: '${name}'`))
    const patterns = [source ?? '', ...others].flatMap(patternsIn)
    expect({ line, known: source !== undefined, fits: patterns.some((one) => one.test(finding)) }).toEqual({
      line,
      known: true,
      fits: true,
    })
  }
  expect([...checks, ...others].flatMap(patternsIn).some((one) => one.test('The clocks differ.'))).toBe(false)
})
