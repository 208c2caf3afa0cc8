import type { Alias, Document, Node, Pair, Scalar, ScalarTag, YAMLMap } from 'yaml'
import { indentContinuations } from './column-zero.ts'
import { MAX_DEPTH, MAX_DOCUMENT_BYTES, MAX_NODES } from './limits.ts'
import { findExcess, loadYaml, placesOf, YAML_OPTIONS, type Yaml } from './yaml.ts'
import { describeMistake, lineAt } from './yaml-mistakes.ts'

/** A document of another tool. */
export interface LenientValue {
  /** As YAML 1.1 types it; dates are texts. */
  readonly typed: unknown
  /** The same with every scalar as it is written. */
  readonly text: unknown
  readonly warnings: readonly { readonly line: number; readonly field: string; readonly message: string }[]
  /** The line of a value, or of its closest parent. Counts from 1. */
  readonly lineOf: (path: readonly string[]) => number
}

/**
 * Parses YAML as Python's tools do: version 1.1, with anchors, aliases and merge keys, and the last of several equal keys.
 * The caller bounds the text; what aliases multiply is bounded here.
 */
export async function parseLenient(
  given: string,
): Promise<LenientValue | { readonly error: string; readonly value?: undefined }> {
  const yaml = await loadYaml()
  const tooMuch = findExcess(yaml, given)
  if (tooMuch !== null) return { error: tooMuch }
  const text = indentContinuations(given.replace(/^\uFEFF/, ''))
  const excess = findExcess(yaml, text)
  if (excess !== null) return { error: excess }
  const document = yaml.parseDocument(text, { ...YAML_OPTIONS, schema: 'failsafe', customTags: TAGS })
  const [mistake] = document.errors
  if (mistake) return { error: `is not valid YAML: ${describeMistake(mistake, text)}` }
  try {
    const conversion = { yaml, text, anchors: new Map(), warnings: [], nodes: 0, characters: 0 }
    const value = valueOf(conversion, document.contents, { path: [], depth: 0 })
    return { ...value, warnings: conversion.warnings, lineOf: placesOf(yaml, document as Document, text) }
  } catch (error) {
    if (error instanceof YamlProblem) return { error: error.message }
    throw error
  }
}

/** Scalars as Python's YAML reads them, which differs from YAML 1.1 of the library: `y` is text, and so is `1e3`. */
const TAGS: ScalarTag[] = [
  scalar('null', /^(?:~|null|Null|NULL|)$/, () => null),
  scalar('bool', /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/, () => true),
  scalar('bool', /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/, () => false),
  scalar('int', /^[-+]?0b[01_]+$/, (digits) => integer(digits, 2)),
  scalar('int', /^[-+]?0x[\da-fA-F_]+$/, (digits) => integer(digits, 16)),
  scalar('int', /^[-+]?0[0-7_]+$/, (digits) => integer(digits, 8)),
  scalar('int', /^[-+]?(?:0|[1-9][\d_]*)$/, (digits) => integer(digits, 10)),
  scalar('int', /^[-+]?[1-9][\d_]*(?::[0-5]?\d)+$/, sexagesimal),
  scalar('float', /^[-+]?(?:\d[\d_]*\.[\d_]*|\.\d[\d_]*)(?:[eE][-+]\d+)?$/, (digits) =>
    Number(digits.replaceAll('_', '')),
  ),
]

function scalar(name: string, test: RegExp, resolve: (source: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve }
}

function integer(source: string, base: number): number {
  const digits = source.replaceAll(/[-+_]|0[bx]/g, '')
  const value = digits === '' ? 0 : Number.parseInt(digits, base)
  return source.startsWith('-') ? -value : value
}

function sexagesimal(source: string): number {
  const parts = source.replaceAll(/[-+_]/g, '').split(':').map(Number)
  const value = parts.reduce((total, part) => total * 60 + part, 0)
  return source.startsWith('-') ? -value : value
}

class YamlProblem extends Error {}

interface Conversion {
  readonly yaml: Yaml
  readonly text: string
  /** What is complete by its anchor; an alias inside of its own anchor has none. */
  readonly anchors: Map<string, Node>
  readonly warnings: { line: number; field: string; message: string }[]
  /** Values and their characters after aliases were expanded. */
  nodes: number
  characters: number
}

interface Place {
  readonly path: readonly string[]
  readonly depth: number
}

interface Both {
  readonly typed: unknown
  readonly text: unknown
}

/** Expanded texts of a document, which may repeat an anchor. */
const MAX_CHARACTERS = 8 * MAX_DOCUMENT_BYTES

function valueOf(conversion: Conversion, node: unknown, { path, depth }: Place): Both {
  const { yaml, text, anchors } = conversion
  if (depth > MAX_DEPTH) throw new YamlProblem(`is nested deeper than ${MAX_DEPTH} levels`)
  conversion.nodes += 1
  if (conversion.nodes > MAX_NODES) throw new YamlProblem(`contains more than ${MAX_NODES} values`)
  if (!yaml.isNode(node)) return { typed: null, text: '' }
  const line = () => `at line ${lineAt(text, node.range?.[0] ?? 0)}`
  if (yaml.isAlias(node)) return valueOf(conversion, targetOf(conversion, node), { path, depth: depth + 1 })
  if (node.tag !== undefined && !KNOWN_TAGS.test(node.tag))
    throw new YamlProblem(
      `has the tag ${node.tag.replace('tag:yaml.org,2002:', '!!').slice(0, 40)} ${line()}, which no value here needs: remove it`,
    )
  const value = yaml.isMap(node)
    ? mapOf(conversion, node, { path, depth })
    : yaml.isSeq(node)
      ? listOf(conversion, node.items, { path, depth })
      : scalarOf(conversion, node as Scalar)
  if (node.anchor !== undefined) anchors.set(node.anchor, node)
  return value
}

const KNOWN_TAGS = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq|timestamp)$|^!$/

function targetOf({ text, anchors }: Conversion, { source, range }: Alias): Node {
  const target = anchors.get(source)
  const line = lineAt(text, range?.[0] ?? 0)
  if (!target)
    throw new YamlProblem(
      `has *${source.slice(0, 40)} at line ${line} without an anchor &… before it: put the value in quotes if * is part of it`,
    )
  return target
}

function scalarOf(conversion: Conversion, { value, source }: Scalar): Both {
  const text = source ?? (value === null ? '' : String(value))
  conversion.characters += text.length
  if (conversion.characters > MAX_CHARACTERS)
    throw new YamlProblem(`has more than ${MAX_CHARACTERS} characters with its aliases`)
  return { typed: value, text }
}

function listOf(conversion: Conversion, items: readonly unknown[], { path, depth }: Place): Both {
  const values = items.map((item, index) =>
    valueOf(conversion, item, { path: [...path, String(index)], depth: depth + 1 }),
  )
  return { typed: values.map(({ typed }) => typed), text: values.map(({ text }) => text) }
}

function mapOf(conversion: Conversion, node: YAMLMap, { path, depth }: Place): Both {
  const own = new Map<string, Both>()
  const starts = new Map<string, number>()
  const merged: Both[] = []
  for (const pair of node.items) {
    const key = keyOf(conversion, pair)
    const place = { path: [...path, key], depth: depth + 1 }
    const start = conversion.yaml.isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0
    const value = valueOf(conversion, pair.value, place)
    if (key === '<<' && isPlain(pair)) {
      merged.push(...(Array.isArray(value.typed) ? listItems(value) : [value]))
      continue
    }
    const before = starts.get(key)
    if (before !== undefined) warnTwice(conversion, place.path, [before, start])
    starts.set(key, start)
    own.set(key, value)
  }
  return together([...merged.toReversed(), entriesOf(own)])
}

/** Lines are counted from the beginning of the text, so only a few are. */
const MAX_WARNINGS = 20

function warnTwice(
  { text, warnings }: Conversion,
  path: readonly string[],
  [first, second]: readonly [number, number],
): void {
  if (warnings.length >= MAX_WARNINGS) return
  const [before, line] = [lineAt(text, first), lineAt(text, second)]
  const message = `is there twice, at line ${before} and line ${line}: the last one counts; remove the other`
  warnings.push({ line, field: path.join('.'), message })
}

function isPlain({ key }: Pair): boolean {
  return (key as Scalar).type === 'PLAIN'
}

function listItems({ typed, text }: Both): Both[] {
  return (typed as unknown[]).map((each, index) => ({ typed: each, text: (text as unknown[])[index] }))
}

function entriesOf(values: ReadonlyMap<string, Both>): Both {
  const entries = [...values]
  return {
    typed: Object.fromEntries(entries.map(([key, { typed }]) => [key, typed])),
    text: Object.fromEntries(entries.map(([key, { text }]) => [key, text])),
  }
}

/** Later maps win. */
function together(maps: readonly Both[]): Both {
  if (maps.some(({ typed }) => typeof typed !== 'object' || typed === null || Array.isArray(typed)))
    throw new YamlProblem('merges something with << that is no map')
  return {
    typed: Object.assign({}, ...maps.map(({ typed }) => typed)),
    text: Object.assign({}, ...maps.map(({ text }) => text)),
  }
}

function keyOf({ yaml, text }: Conversion, { key }: Pair): string {
  if (yaml.isScalar(key) && typeof key.value !== 'object' && key.source !== '__proto__')
    return key.source ?? String(key.value)
  if (yaml.isScalar(key) && key.value === null) return key.source ?? 'null'
  const line = lineAt(text, yaml.isNode(key) ? (key.range?.[0] ?? 0) : 0)
  throw new YamlProblem(
    `has a key that is no text at line ${line}: put a value that begins with {{ or [ in quotes`,
  )
}
