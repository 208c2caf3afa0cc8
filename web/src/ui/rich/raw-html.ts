/** Comments, elements whose content is no text, tags, and whatever else begins like one. Never looks past the next `<`. */
const MARKUP =
  /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<(\/?)([a-z][a-z0-9]*)((?:"[^"<]*"|'[^'<]*'|[^"'<>])*)>|</gi
const ATTRIBUTE = /([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

interface Allowed {
  readonly tags: ReadonlySet<string>
  readonly attributes: ReadonlySet<string>
}

/**
 * HTML of which only these tags and attributes are left. It guards nothing, the purifier after it does: but that parses in
 * a document under the page's policy, which reports each handler and style that it meets, though none would take effect.
 */
export function plainMarkup(html: string, { tags, attributes }: Allowed): string {
  return html.replace(MARKUP, (found, ...groups: (string | undefined)[]) => {
    const [, end, name, given] = groups
    if (name === undefined) return found === '<' ? '&lt;' : ''
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
