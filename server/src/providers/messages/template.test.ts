import { expect, test } from 'vitest'
import type { Blood } from './messages.ts'
import { renderBlood, templateProblem } from './template.ts'

const markup = { text: (value: string) => `<${value}>`, url: (value: string) => `{${value}}` }
const blood: Blood = {
  id: 'solve',
  bloodNumber: 1,
  team: { id: 'a/b', name: `R&D "'` },
  challenge: { id: 'c', name: 'long\nname', category: 'web' },
  time: 0,
}

function render(template: string, bloodNumber = 1, emojis: readonly string[] = []): string {
  return renderBlood({ ...blood, bloodNumber }, { template, markup, emojis, origin: 'https://ctf.example' })
}

test("names and addresses are written in the target's markup and never as HTML", () => {
  expect(render('{{teamName}} {{teamUrl}} {{challengeCategory}} {{challengeName}}')).toBe(
    `<R&D "'> {https://ctf.example/profile/a%2Fb} <web> <long name>`,
  )
  expect(render('{{{teamName}}}')).toBe(`<R&D "'>`)
})

test.each([
  { number: 1, ordinal: '1st', word: 'first', title: 'First' },
  { number: 2, ordinal: '2nd', word: 'second', title: 'Second' },
  { number: 3, ordinal: '3rd', word: 'third', title: 'Third' },
  { number: 4, ordinal: '4th', word: '4th', title: '4th' },
  { number: 11, ordinal: '11th', word: '11th', title: '11th' },
  { number: 12, ordinal: '12th', word: '12th', title: '12th' },
  { number: 21, ordinal: '21st', word: '21st', title: '21st' },
  { number: 113, ordinal: '113th', word: '113th', title: '113th' },
])('$number is written in numbers and words', ({ number, ordinal, word, title }) => {
  const template =
    '{{bloodNumber}} {{bloodNumOrdinal}} {{bloodNumSentence}} {{bloodNumWord}} {{bloodNumTitle}}'
  expect(render(template, number)).toBe(`${number} ${ordinal} ${ordinal} ${word} ${title}`)
})

test('each of the first positions has an emoji, later ones have none', () => {
  const template = '{{#bloodEmoji}}[{{bloodEmoji}}]{{/bloodEmoji}}{{^bloodEmoji}}none{{/bloodEmoji}}'
  expect([1, 2, 3].map((number) => render(template, number, ['🥇', '<:second:2>']))).toEqual([
    '[🥇]',
    '[<:second:2>]',
    'none',
  ])
})

test('reports an invalid template', () => {
  expect(templateProblem('{{teamName}}')).toBeNull()
  expect(templateProblem('{{#teamName}}')).toMatch(/unclosed section/i)
  expect(templateProblem('{{teamName')).toMatch(/unclosed tag/i)
})
