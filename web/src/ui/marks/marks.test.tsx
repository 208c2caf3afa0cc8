import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Sparkline } from '../plots/sparkline.tsx'
import { Movement } from './movement.tsx'
import { BuntingLine } from './bunting-line.tsx'
import { Bunting } from './bunting.tsx'
import { categoryOf } from './categories.ts'
import { ClothMark } from './cloth.tsx'
import { chargeOf, chargePath, hooksOf, linesOf } from './cloth-shapes.ts'
import { Gonfalon } from './gonfalon.tsx'
import { SignalFlag } from './signal-flag.tsx'
import { FIGURES, signalOf } from './signals.ts'

const count = (text: string, part: string) => text.split(part).length - 1
const pathsOfCloth = (width: number) =>
  count(renderToStaticMarkup(<ClothMark category="web" state="solved" width={width} height={20} />), '<path')
const gonfalon = (share: number) =>
  renderToStaticMarkup(<Gonfalon category="web" share={share} width={12} height={22} label="web: 2 of 4" />)

test('the eight charges are distinct shapes, and an unknown category always takes the same one', () => {
  const names = 'web crypto pwn rev forensics osint misc blockchain'.split(' ')
  const paths = names.map((name) => chargePath(chargeOf(categoryOf(name)), 17, 46))
  expect(new Set(paths).size).toBe(8)
  expect(paths.join()).not.toMatch(/NaN|undefined/)
  expect(chargeOf(categoryOf('Sailing'))).toBe(chargeOf(categoryOf('sailing ')))
})

test('the cord sags in the middle by the given depth and rises at the same slope on both sides', () => {
  const hooks = hooksOf(3, { width: 300, sag: 12 })
  expect(hooks.map(({ x }) => x)).toEqual([50, 150, 250])
  expect(hooks[1]).toMatchObject({ y: 12, degrees: 0 })
  expect(hooks[0]?.degrees).toBeGreaterThan(0)
  expect(hooks[2]?.degrees).toBeCloseTo(-(hooks[0]?.degrees ?? 0))
})

test('from 21 items on, a bunting has two lines', () => {
  const items = Array.from({ length: 21 }, (_, at) => at)
  expect(linesOf(items.slice(1))).toHaveLength(1)
  expect(linesOf(items).map((line) => line.length)).toEqual([11, 10])
})

test('a bunting has one text for readers and one cloth per item', () => {
  const drawn = renderToStaticMarkup(
    <BuntingLine
      items={[
        { category: 'pwn', state: 'solved' },
        { category: 'pwn', state: 2 },
        { category: 'web', state: 'open' },
      ]}
      width={120}
      cloth={{ width: 15, height: 22 }}
      label="2 of 3 solved"
    />,
  )
  expect(count(drawn, 'rotate(')).toBe(3)
  expect(count(drawn, 'aria-label')).toBe(1)
  expect(drawn).toContain('>2</text>')
})

test('a bunting without a label is hidden from readers', () => {
  const line = renderToStaticMarkup(<BuntingLine items={[]} width={120} cloth={{ width: 15, height: 22 }} />)
  expect(line).toContain('aria-hidden="true"')
  expect(line).not.toContain('NaN')
})

test('a small bunting fills what is solved and outlines the rest', () => {
  const drawn = renderToStaticMarkup(<Bunting solved={2} total={5} category="web" />)
  expect(count(drawn, 'fill="currentColor"')).toBe(2)
  expect(drawn).toContain('aria-label="2 of 5 solved"')
})

test('a small cloth has neither charge nor fold; a medal has a notch and a digit', () => {
  expect([8, 12, 15].map(pathsOfCloth)).toEqual([1, 2, 3])
  const medal = renderToStaticMarkup(
    <ClothMark category="web" state={1} width={15} height={22} label="First" />,
  )
  expect(medal).toContain('>1</text>')
  expect(medal).toContain('aria-label="First"')
})

test('a gonfalon shows a share from 0 to 1', () => {
  expect(gonfalon(0.5)).toContain('--share:50%')
  expect(gonfalon(7)).toContain('--share:100%')
  expect(gonfalon(-1)).toContain('--share:0%')
})

test('the flag of a team depends on its id alone, and all twelve figures are in use', () => {
  expect(signalOf('team-1')).toEqual(signalOf('team-1'))
  const flags = Array.from({ length: 600 }, (_, at) => signalOf(`team-${at}`))
  expect(new Set(flags.map(({ path }) => path)).size).toBe(FIGURES.length)
  expect(flags.every(({ ground, figure }) => ground !== figure)).toBe(true)
  expect(renderToStaticMarkup(<SignalFlag id="team-1" />)).toContain(signalOf('team-1').path)
})

test('a small line has a step for each score and ends at the last one', () => {
  const line = renderToStaticMarkup(<Sparkline scores={[0, 100, 200]} width={45} height={26} hasArea />)
  expect(count(line, '<path')).toBe(2)
  expect(line).toContain('d="M1 24H21V14H41V4"')
  expect(line).toContain('cx="41" cy="4"')
  expect(line).toContain('aria-hidden="true"')
  const one = renderToStaticMarkup(<Sparkline scores={[7]} width={45} height={26} />)
  expect(one).toContain('cx="1" cy="4"')
})

const drawn = (change: number | null) => renderToStaticMarkup(<Movement change={change} />)

test('a movement has an arrow and a sentence, also without a change', () => {
  expect(drawn(3)).toContain('up 3 in the last hour')
  expect(drawn(3)).toContain('▲')
  expect(drawn(-2)).toContain('down 2 in the last hour')
  expect(drawn(-2)).toContain('▼')
  expect(drawn(0)).toContain('unchanged in the last hour')
  expect(drawn(null)).toBe('')
})
