export type Rendered = { readonly text: string } | { readonly problem: string }

export interface Scope {
  /** Values by name: texts, numbers, lists and maps, as the template sees them. */
  readonly names: Readonly<Record<string, unknown>>
  readonly filters?: Readonly<Record<string, (text: string) => string>>
  /** Whether a name without a value prints nothing, as it does in Jinja. Otherwise it is a problem. */
  readonly isEmpty?: (name: string, problem: string) => boolean
}

const OPENING = /\{[{%#]/g
const END = { '{{': '}}', '{%': '%}', '{#': '#}' } as const
const RAW = /\{%[-+]?\s*raw\s*[-+]?%\}([^]*?)\{%[-+]?\s*endraw\s*[-+]?%\}/y

/**
 * The part of Jinja that inserts values: `{{ name }}`, `{{ challenge.expose.main[0].tcp }}`, `{{ map['key'] }}`, texts,
 * comments and `{% raw %}`. Removes one line break at the end, as Jinja does. Everything else is a problem, and so is a name
 * without a value unless the caller knows better: nothing is left out silently.
 */
export function render(template: string, scope: Scope): Rendered {
  const source = template.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')
  let text = ''
  let at = 0
  let trimsNext = false
  const append = (part: string) => {
    text += trimsNext ? part.trimStart() : part
    if (part !== '') trimsNext = false
  }
  OPENING.lastIndex = 0
  for (let found = OPENING.exec(source); found; found = OPENING.exec(source)) {
    append(source.slice(at, found.index))
    const tag = tagAt(source, found.index)
    if ('problem' in tag) return tag
    const result = 'raw' in tag ? { text: tag.raw } : insertedBy(tag.body, scope, tag.opening)
    if ('problem' in result) return result
    if (tag.trimsBefore) text = text.trimEnd()
    text += result.text
    trimsNext = tag.trimsAfter
    at = OPENING.lastIndex = tag.end
  }
  append(source.slice(at))
  return { text }
}

type Opening = keyof typeof END

type Tag = { readonly end: number; readonly trimsBefore: boolean; readonly trimsAfter: boolean } & (
  | { readonly raw: string }
  | { readonly opening: Opening; readonly body: string }
)

function tagAt(source: string, start: number): Tag | { readonly problem: string } {
  RAW.lastIndex = start
  const raw = RAW.exec(source)
  if (raw) return { end: RAW.lastIndex, trimsBefore: false, trimsAfter: false, raw: raw[1] ?? '' }
  const opening = source.slice(start, start + 2) as Opening
  const end = opening === '{{' ? endOfValue(source, start + 2) : source.indexOf(END[opening], start + 2)
  if (end === -1) return { problem: `${shorten(source.slice(start))} has no ${END[opening]} at its end` }
  const inside = source.slice(start + 2, end)
  return {
    end: end + 2,
    trimsBefore: inside.startsWith('-'),
    trimsAfter: inside.length > 1 && inside.endsWith('-'),
    opening,
    body: inside.replace(/^[-+]/, '').replace(/[-+]$/, '').trim(),
  }
}

/** Quoted texts may contain the end. */
function endOfValue(source: string, from: number): number {
  const piece = /'[^']*'|"[^"]*"|\}\}|[^]/gy
  piece.lastIndex = from
  for (let found = piece.exec(source); found; found = piece.exec(source))
    if (found[0] === '}}') return found.index
  return -1
}

function insertedBy(body: string, scope: Scope, opening: Opening): Rendered {
  if (opening === '{#') return { text: '' }
  const unsupported = {
    problem: `${shorten(`${opening} ${body} ${END[opening]}`)} is not supported, only {{ name }}`,
  }
  if (opening === '{%') return unsupported
  const [, expression = '', filters = ''] = EXPRESSION.exec(body) ?? []
  if (expression === '') return unsupported
  const found = valueOf(expression, scope)
  if ('problem' in found) return found
  let text = pythonText(found.value)
  for (const name of filters.split('|').slice(1)) {
    const filter = scope.filters?.[name.trim()]
    if (!filter) return { problem: `the filter ${shorten(name.trim())} is not supported` }
    text = filter(text)
  }
  return { text }
}

const STEP = String.raw`\.\s*(?:[A-Za-z_]\w*|\d+)|\[\s*(?:-?\d+|'[^']*'|"[^"]*")\s*\]`
const EXPRESSION = new RegExp(
  String.raw`^((?:[A-Za-z_]\w*|'[^']*'|"[^"]*")(?:\s*(?:${STEP}))*)((?:\s*\|\s*[A-Za-z_]\w*)*)$`,
)

/** Follows the steps of a name, such as `challenge.expose.main[0].tcp`. */
function valueOf(
  expression: string,
  { names, isEmpty }: Scope,
): { readonly value: unknown } | { readonly problem: string } {
  if (/^['"][^]*['"]$/.test(expression)) return { value: expression.slice(1, -1) }
  let value: unknown = names
  let path = ''
  const steps = expression.match(new RegExp(String.raw`^\w+|${STEP}`, 'g')) ?? []
  for (const [index, step] of steps.entries()) {
    const key = step.replace(/^[.[]\s*['"]?/, '').replace(/['"]?\s*\]$/, '')
    const next = partOf(value, key)
    if (next === undefined) {
      const known = Object.keys(Object(value) as object).filter((name) => partOf(value, name) !== undefined)
      const list =
        typeof value === 'object' && known.length > 0 ? known.slice(0, MAX_NAMES).join(', ') : 'nothing'
      const where = path === '' ? 'the names here are' : `${path} has`
      const problem = `{{ ${shorten(expression)} }} has no value: ${where} ${list}`
      // In Jinja, only a part of what has no value is an error.
      const isLast = index === steps.length - 1
      return isLast && isEmpty?.(expression, problem) ? { value: '' } : { problem }
    }
    value = next
    path += step
  }
  return { value }
}

const MAX_NAMES = 40

function partOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^-?\d{1,9}$/.test(key) ? value.at(Number(key)) : undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}

/** A value as Python prints it. */
function pythonText(value: unknown): string {
  return typeof value === 'string' ? value : represented(value)
}

function represented(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
    const escaped = value
      .replaceAll('\\', '\\\\')
      .replaceAll('\n', String.raw`\n`)
      .replaceAll('\t', String.raw`\t`)
    return `${quote}${quote === "'" ? escaped.replaceAll("'", String.raw`\'`) : escaped}${quote}`
  }
  if (Array.isArray(value)) return `[${value.map(represented).join(', ')}]`
  if (typeof value !== 'object') return String(value as number)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${represented(key)}: ${represented(inner)}`)
    .join(', ')}}`
}

const MAX_SHOWN = 60

function shorten(tag: string): string {
  const line = tag.slice(0, 4 * MAX_SHOWN).replaceAll(/\s+/g, ' ')
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line
}
