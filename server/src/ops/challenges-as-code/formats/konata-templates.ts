import { render, type Rendered } from './template.ts'
import { isMap, mapOf, type ForeignDocument } from './translation.ts'

/** What only a deployment knows: names and digests of images that Konata builds. */
const DEPLOYED = /\b(?:images|registries|challenges|models)\b/

export type RenderText = (text: string) => Rendered & { readonly needsDeployment?: boolean }

/** Renders texts with the names that the project and the challenge give. */
export function templatesOf({ project, typed }: ForeignDocument): RenderText {
  const config = project.konata?.typed ?? {}
  const values = { ...mapOf(config['domains']), ...mapOf(config['kv']) }
  const names = {
    config: { ...config, kv: values, domains: values },
    kv: values,
    domains: values,
    challenge: typed,
  }
  return (text) => {
    const rendered = render(text, { names, filters: { re_escape: escapedForPattern } })
    return 'problem' in rendered
      ? { ...rendered, needsDeployment: DEPLOYED.test(rendered.problem.split(' has no value')[0] ?? '') }
      : rendered
  }
}

/** `re.escape` of Python. */
function escapedForPattern(text: string): string {
  return text.replaceAll(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, String.raw`\$&`)
}

interface Deep {
  readonly renderText: RenderText
  /** Gets the path of a text that cannot be rendered. */
  readonly fail: (path: string, problem: string) => void
}

/** All texts of a value, rendered. The parser of the document bounds its depth. */
export function renderDeep(value: unknown, deep: Deep, path = ''): unknown {
  const inner = (child: unknown, key: string | number) =>
    renderDeep(child, deep, path === '' ? String(key) : `${path}.${key}`)
  if (typeof value === 'string') {
    const rendered = deep.renderText(value)
    if ('text' in rendered) return rendered.text
    deep.fail(path, rendered.problem)
    return value
  }
  if (Array.isArray(value)) return value.map(inner)
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inner(child, key)]))
}
