import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

type SyntaxNode = ReturnType<typeof syntaxTree>['topNode']

/** Position of the name being typed. */
export type Place =
  /** After `of.`, or after `of[0].`. */
  | { readonly kind: 'member'; readonly of: string }
  /** A key in the object passed to `new Maker({ … })`; `path` is the list of enclosing keys. */
  | { readonly kind: 'key'; readonly maker: string; readonly path: readonly string[] }
  /** A name destructured from the parameter of the function at `path`. */
  | { readonly kind: 'parameter'; readonly maker: string; readonly path: readonly string[] }

const MEMBER = /(\w+)(?:\[\w*\])?\??\.$/
const WITHIN_KEY = new Set([
  'PropertyDefinition',
  'PropertyName',
  'VariableDefinition',
  'Property',
  'PatternProperty',
  '⚠',
  ',',
  '{',
])

/** Classifies the name typed from `from` to `to`; null if any expression can be there. */
export function placeAt(state: EditorState, from: number, to: number): Place | null {
  const of = MEMBER.exec(state.sliceDoc(state.doc.lineAt(from).from, from))?.[1]
  if (of !== undefined) return { kind: 'member', of }
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(to, -1)
  while (node && WITHIN_KEY.has(node.name)) node = node.parent
  if (node?.name !== 'ObjectExpression' && node?.name !== 'ObjectPattern') return null
  const found = pathOf(state, node)
  return found && { kind: node.name === 'ObjectPattern' ? 'parameter' : 'key', ...found }
}

function pathOf(state: EditorState, from: SyntaxNode) {
  const path: string[] = []
  const text = ({ from: start, to: end }: SyntaxNode) => state.sliceDoc(start, end)
  for (let node: SyntaxNode | null = from; node; node = node.parent) {
    if (node.name === 'Block') return null
    if (node.name === 'Property') {
      const key = node.getChild('PropertyDefinition') ?? node.getChild('String')
      path.unshift(key ? text(key) : '')
    }
    const maker = node.name === 'NewExpression' ? node.getChild('VariableName') : null
    if (maker) return { maker: text(maker), path }
  }
  return null
}
