import type { Document, Node, Pair } from 'yaml'
import { MAX_DEPTH, MAX_NODES, MAX_TOKENS } from './limits.ts'
import { describeMistake, lineAt } from './yaml-mistakes.ts'

/** The parser is loaded on demand. The default export, because a bundle cannot resolve the named ones. */
export async function loadYaml() {
  const { default: yaml } = await import('yaml')
  return yaml
}

export type Yaml = Awaited<ReturnType<typeof loadYaml>>

/**
 * `uniqueKeys` compares each key with all others of its map, and `prettyErrors` reads the text again for each error: both
 * take minutes for a hostile document.
 */
export const YAML_OPTIONS = { uniqueKeys: false, prettyErrors: false, logLevel: 'error' } as const

export type Parsed = { readonly value: unknown } | { readonly error: string }

/**
 * Parses the JSON subset of YAML: no anchors, aliases, tags, or keys that are not text, so that the result is
 * no larger than the text. The caller bounds the text.
 */
export async function parseYaml(text: string): Promise<Parsed> {
  const yaml = await loadYaml()
  const excess = findExcess(yaml, text)
  if (excess !== null) return { error: excess }
  const document = yaml.parseDocument(text, { ...YAML_OPTIONS, schema: 'core' })
  const [mistake] = document.errors
  if (mistake) return { error: `is not valid YAML: ${describeMistake(mistake, text)}` }
  const error = problemOf(yaml, document)
  return error === null ? { value: document.toJS({ maxAliasCount: 0 }) as unknown } : { error }
}

/** The line of a value in a document, or of its closest parent. Counts from 1. */
export function placesOf(yaml: Yaml, { contents }: Document, text: string) {
  return (path: readonly string[]): number => {
    let node: unknown = contents
    let start = 0
    for (const part of path) {
      const pair = yaml.isMap(node)
        ? // The last of several keys is the one that counts.
          node.items.findLast(({ key }) => yaml.isScalar(key) && String(key.value) === part)
        : undefined
      const next = pair ?? (yaml.isSeq(node) ? node.items[Number(part)] : undefined)
      if (next === undefined) break
      const at = yaml.isPair(next) ? next.key : next
      node = yaml.isPair(next) ? next.value : next
      start = (yaml.isNode(at) ? at.range?.[0] : undefined) ?? start
    }
    return lineAt(text, start)
  }
}

/** Each indicator of a sequence, a mapping or a key may open a level of a block. */
const BLOCK_INDICATORS = /^(?: *(?:[-?:] |\t))+/

/** Whether blocks may be nested too deeply: the library is recursive. Counts too much rather than too little. */
function isTooDeep(text: string): boolean {
  return text.split('\n').some((line) => {
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0
    const indicators = (BLOCK_INDICATORS.exec(line)?.[0].match(/[-?:\t]/g) ?? []).length
    return indicators > MAX_DEPTH || (indicators > 0 && indent > 4 * MAX_DEPTH)
  })
}

/**
 * What makes a text too expensive to parse, or null. The parser takes a hundred times as long for each token as the lexer,
 * so the tokens are counted first.
 */
export function findExcess(yaml: Yaml, text: string): string | null {
  const tooDeep = `is nested deeper than ${MAX_DEPTH} levels`
  if (isTooDeep(text)) return tooDeep
  let tokens = 0
  let brackets = 0
  for (const token of new yaml.Lexer().lex(text)) {
    // Each escape may be a mistake.
    tokens += token.startsWith('"') ? token.split('\\').length : 1
    if (tokens > MAX_TOKENS) return `contains more than ${MAX_TOKENS} words and signs`
    if (token === '[' || token === '{') brackets += 1
    else if (token === ']' || token === '}') brackets = Math.max(0, brackets - 1)
    if (brackets > MAX_DEPTH) return tooDeep
  }
  return null
}

/** Also counts the values, so that a document of a million empty lists is refused before it is converted. */
function problemOf(yaml: Yaml, document: Document): string | null {
  let nodes = 0
  let problem: string | null = null
  const stop = (reason: string) => {
    problem = reason
    return yaml.visit.BREAK
  }
  yaml.visit(document, {
    Alias: (_key, node) => stop(`contains the alias *${node.source}: aliases are not supported`),
    Node: (_key, node, path) => {
      nodes += 1
      if (nodes > MAX_NODES) return stop(`contains more than ${MAX_NODES} values`)
      if (path.length > 3 * MAX_DEPTH) return stop(`is nested deeper than ${MAX_DEPTH} levels`)
      const reason = nodeProblem(yaml, node)
      return reason === null ? undefined : stop(reason)
    },
  })
  return problem
}

function nodeProblem(yaml: Yaml, node: Node): string | null {
  if ('anchor' in node && node.anchor) return `contains the anchor &${node.anchor}: anchors are not supported`
  if (node.tag?.startsWith('tag:yaml.org,2002:') === false || node.tag === 'tag:yaml.org,2002:binary')
    return `contains the tag ${node.tag}: tags are not supported`
  return yaml.isMap(node) ? keyProblem(yaml, node.items) : null
}

function keyProblem(yaml: Yaml, pairs: readonly Pair[]): string | null {
  const seen = new Set<string>()
  for (const { key } of pairs) {
    if (!yaml.isScalar(key) || typeof key.value === 'object') return 'contains a key that is not text'
    const name = String(key.value)
    if (name === '__proto__') return 'contains the key __proto__'
    if (seen.has(name)) return `contains the key ${name} twice`
    seen.add(name)
  }
  return null
}

/** Prints a value as YAML that parses to the same value. */
export async function printYaml(value: unknown): Promise<string> {
  const yaml = await loadYaml()
  const document = new yaml.Document(value, { aliasDuplicateObjects: false })
  yaml.visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value !== 'string') return
      // A block normalises line breaks and cannot contain control characters.
      const isPlain =
        !/[^\n\t\x20-\x7e\xa0-\u2027\u2030-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u.test(
          node.value,
        )
      const isBlock =
        isPlain && node.value.includes('\n') && /^\S/.test(node.value) && /\S\n?$/.test(node.value)
      if (isBlock) node.type = 'BLOCK_LITERAL'
      else if (!isPlain || node.value.includes('\n')) node.type = 'QUOTE_DOUBLE'
    },
  })
  // Lines are not folded, so that a change of a word is a change of its line.
  return document.toString({ lineWidth: 0, minContentWidth: 0 })
}
