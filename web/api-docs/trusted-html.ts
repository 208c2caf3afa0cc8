import DOMPurify from 'dompurify'

/**
 * Lets the viewer set HTML under the site's policy, which requires Trusted Types: every text that becomes HTML is sanitized first. The
 * viewer has a DOMPurify of its own, which gets the same policy object, because the site's policy allows one of that name.
 */
function allowSanitizedHtml(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory }
  if (!trustedTypes) return
  const known = new Map<string, unknown>()
  const create = trustedTypes.createPolicy.bind(trustedTypes)
  Object.getPrototypeOf(trustedTypes).createPolicy = (name: string, rules: object) => {
    if (!known.has(name)) known.set(name, create(name, rules))
    return known.get(name)
  }
  const own = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')
  if (!own?.set) return
  const set = own.set
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...own,
    set(this: Element, value: unknown) {
      set.call(this, typeof value === 'string' ? safe(value, trustedTypes) : value)
    },
  })
}

interface Factory {
  readonly emptyHTML: unknown
  createPolicy(name: string, rules: object): unknown
}

function safe(html: string, { emptyHTML }: Factory): unknown {
  return html === '' ? emptyHTML : DOMPurify.sanitize(html, { RETURN_TRUSTED_TYPE: true })
}

allowSanitizedHtml()
