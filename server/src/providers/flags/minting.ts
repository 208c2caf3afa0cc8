// Mints a team's own flag from a base `prefix{content}`: docs/reference/providers.md#minted-flags
// Pure: the random bytes are an argument.

export type Mode = 'auto' | 'leet' | 'tail'
export type Shape = 'leet' | 'tail'

/** Returns `count` random bytes. */
export type Chance = (count: number) => Uint8Array

/** Fewer letters give too few variants: teams would get the same flag, and flags could be guessed. */
export const MIN_CARRIERS = 20

const BASE = /^([^{}]*)\{([\x20-\x7e]*)\}$/
const LETTER = /[a-z]/g
const LEET: Readonly<Record<string, string>> = {
  a: '4',
  e: '3',
  g: '6',
  i: '1',
  l: '1',
  o: '0',
  s: '5',
  t: '7',
}
const TAIL_BYTES = 5

export interface Base {
  readonly prefix: string
  readonly content: string
}

export function parseBase(base: string): Base | null {
  const [, prefix, content] = BASE.exec(base) ?? []
  return prefix === undefined || content === undefined ? null : { prefix, content }
}

/** Counts the letters that have two spellings. */
export function countCarriers({ content }: Base): number {
  return content.match(LETTER)?.length ?? 0
}

export function shapeOf(base: Base, mode: Mode): Shape {
  if (mode !== 'auto') return mode
  return countCarriers(base) >= MIN_CARRIERS ? 'leet' : 'tail'
}

export function mint(base: Base, shape: Shape, chance: Chance): string {
  return shape === 'leet' ? mintLeet(base, chance) : mintTail(base, chance)
}

/** Changes each letter depending on a random bit of its own. */
function mintLeet({ prefix, content }: Base, chance: Chance): string {
  const bits = chance(content.length)
  const varied = content.replace(LETTER, (letter, at: number) =>
    (bits[at] ?? 0) & 1 ? (LEET[letter] ?? letter.toUpperCase()) : letter,
  )
  return `${prefix}{${varied}}`
}

function mintTail({ prefix, content }: Base, chance: Chance): string {
  const tail = Buffer.from(chance(TAIL_BYTES)).toString('hex')
  return `${prefix}{${content === '' ? tail : `${content}_${tail}`}}`
}
