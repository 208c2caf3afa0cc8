export type Rendered = { readonly text: string } | { readonly problem: string }

const TAG = /\{#[^]*?#\}|\{\{([^]*?)\}\}|\{%[^]*?%\}/g
const NAME = /^-?\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*-?$/

/**
 * The part of Jinja that only inserts values: `{{ name }}`, `{{ challenge.name }}` and comments. Anything else, and a
 * name without a value, is a problem: nothing is left out silently.
 */
export function render(template: string, values: ReadonlyMap<string, string>): Rendered {
  let problem: string | null = null
  const text = template.replaceAll(TAG, (tag: string, expression: string | undefined) => {
    if (tag.startsWith('{#')) return ''
    const name = expression === undefined ? undefined : NAME.exec(expression.trim())?.[1]
    const value = name === undefined ? undefined : values.get(name)
    if (value !== undefined) return value
    problem ??=
      name === undefined ? `${shorten(tag)} is not supported, only {{ name }}` : `{{ ${name} }} has no value`
    return ''
  })
  return problem === null ? { text } : { problem }
}

export function isTemplate(text: string): boolean {
  return /\{\{|\{%/.test(text)
}

const MAX_SHOWN = 40

function shorten(tag: string): string {
  const line = tag.replaceAll(/\s+/g, ' ')
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line
}
