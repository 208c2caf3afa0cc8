/** Comments, raw text elements, tags, and anything that starts like one. Never matches past the next `<`. */
const MARKUP =
  /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<(\/?)([a-z][^\s/>"'<]*)((?:"[^"<]*"|'[^'<]*'|[^"'<>])*)>|</gi
const ATTRIBUTE = /([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

interface Allowed {
  readonly tags: ReadonlySet<string>
  readonly attributes: ReadonlySet<string>
  /** Whether HTML has the element. Others, as in `vector<int>`, are text. */
  readonly isElement: (name: string) => boolean
}

/**
 * Returns HTML with only these tags and attributes. This is not a security measure: the sanitizer that runs
 * after it is. But the sanitizer parses under the page's CSP, which reports every inline handler and style,
 * even though none would take effect.
 */
export function plainMarkup(html: string, { tags, attributes, isElement }: Allowed): string {
  return html.replace(MARKUP, (found, ...groups: (string | undefined)[]) => {
    const [, end, name, given] = groups
    if (name === undefined) return found === '<' ? '&lt;' : ''
    if (!isElement(name)) return found.replaceAll('<', '&lt;')
    if (!tags.has(name.toLowerCase())) return ''
    return end === '/' ? `</${name}>` : `<${name}${kept(given ?? '', attributes)}>`
  })
}

function kept(given: string, attributes: ReadonlySet<string>): string {
  return [...given.matchAll(ATTRIBUTE)]
    .filter(([, name = '']) => attributes.has(name.toLowerCase()))
    .map(([, name, inDouble, inSingle, bare]) => {
      const value = inDouble ?? inSingle ?? bare ?? ''
      return ` ${name}="${value.replaceAll('"', '&quot;')}"`
    })
    .join('')
}
