// File patterns as Python reads them. Names are compared as on Linux: case counts, and hidden names match.

type Matcher = (text: string) => boolean

/** `fnmatch`: `*` and `?` match `/` too. */
export function fnmatch(pattern: string): Matcher {
  const [first = '', ...rest] = fixedParts(pattern)
  const last = rest.pop()
  // Each star takes as little as possible, for good: backtracking would take time for hostile patterns.
  const middle = rest.map((part, index) => `(?=([^]*?${part}))\\${index + 1}`).join('')
  const expression = new RegExp(last === undefined ? `^${first}$` : `^${first}${middle}[^]*${last}$`, 'u')
  return (text) => expression.test(text)
}

/**
 * `glob`: `*` stays inside of a folder, `**` as a whole part means any folders. `below` also accepts everything inside
 * of a folder that matches.
 */
export function glob(pattern: string): { readonly exact: Matcher; readonly below: Matcher } {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.at(-1) === '**') parts.push('*')
  const matchers = parts.map((part) => (part === '**' ? null : fnmatch(part)))

  function reached(path: readonly string[]): ReadonlySet<number> {
    let positions = new Set([0])
    for (const matcher of matchers) {
      const next = new Set<number>()
      if (matcher) {
        for (const at of positions) if (at < path.length && matcher(path[at] ?? '')) next.add(at + 1)
      } else for (let at = Math.min(...positions); at <= path.length; at++) next.add(at)
      positions = next
    }
    return positions
  }

  return {
    exact: (path) => !pattern.endsWith('/') && reached(path.split('/')).has(path.split('/').length),
    below: (path) => reached(path.split('/')).size > 0,
  }
}

export function isPattern(text: string): boolean {
  return /[*?[]/.test(text)
}

const PIECE = /\*+|\[(!|(?!!))(\]?[^\]]+|\])\]|[^]/gu

/** The expressions between the stars of a pattern. */
function fixedParts(pattern: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (const [piece, negation, body] of pattern.matchAll(PIECE)) {
    if (body !== undefined) part += classOf(body, negation === '!')
    else if (piece.startsWith('*')) {
      parts.push(part)
      part = ''
    } else part += piece === '?' ? '[^]' : piece.replace(/[\\^$.+()[\]{}|/]/, String.raw`\$&`)
  }
  return [...parts, part]
}

function classOf(body: string, isNegated: boolean): string {
  const ranges = body.replaceAll(/([^])-([^])|[^]/gu, (piece: string, from?: string, to?: string) => {
    if (from === undefined || to === undefined) return escaped(piece)
    return from <= to ? `${escaped(from)}-${escaped(to)}` : ''
  })
  if (ranges === '') return isNegated ? '[^]' : '(?!)'
  return `[${isNegated ? '^' : ''}${ranges}]`
}

function escaped(character: string): string {
  return character.replace(/[\\\]^[-]/, String.raw`\$&`)
}
